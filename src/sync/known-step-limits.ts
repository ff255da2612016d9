import { SERVICE_LIMITS, type StepLimits } from "../../transforms/fit/limits.js";
import type { Ledger, ProbeTitles, StepBounds } from "../core/contracts.js";

/** What is known of the limits of steps at a target, as its ledger keeps it. */
export interface NotedLimits {
  readonly bounds: StepBounds;
  /** Titles of a probe that may have left something; null: none did. */
  readonly probing: ProbeTitles | null;
}

/** The name under which a ledger keeps it. */
const MEMO = "step-limits";

/** The limits of steps at a target: what probes found, else those that are assumed. No request. */
export async function knownStepLimits(ledger: Pick<Ledger, "recall">): Promise<StepLimits> {
  return limitsOf((await notedLimits(ledger)).bounds);
}

export function limitsOf({ lineLength, linesPerStep, imageWidth, imageHeight }: StepBounds): StepLimits {
  const { minimumImage } = SERVICE_LIMITS;
  return {
    lineLength: lineLength?.takes ?? SERVICE_LIMITS.lineLength,
    linesPerStep: linesPerStep?.takes ?? SERVICE_LIMITS.linesPerStep,
    minimumImage: {
      width: imageWidth?.takes ?? minimumImage.width,
      height: imageHeight?.takes ?? minimumImage.height,
    },
  };
}

export async function notedLimits(ledger: Pick<Ledger, "recall">): Promise<NotedLimits> {
  const memo = await ledger.recall(MEMO);
  return memo === undefined ? { bounds: {}, probing: null } : (JSON.parse(memo) as NotedLimits);
}

export function noteLimits(ledger: Ledger, now: NotedLimits): Promise<void> {
  return ledger.remember(MEMO, JSON.stringify(now));
}
