import { SERVICE_LIMITS, type StepLimits } from "../../../transforms/fit/limits.js";
import type { Ledger } from "../../core/contracts.js";
import type { ProbeTitles, StepBounds } from "../../core/writing.js";
import { PAGE_TRANSLATIONS_MEMO } from "../../service/target/trials.js";

interface NotedLimits {
  readonly bounds: StepBounds;
  readonly probing: ProbeTitles | null;
}

const STEP_LIMITS_MEMO = "step-limits";

/** The limits that probes found, else the assumed ones. Sends no request. */
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
  const memo = await ledger.recall(STEP_LIMITS_MEMO);
  return memo === undefined ? { bounds: {}, probing: null } : (JSON.parse(memo) as NotedLimits);
}

export function noteLimits(ledger: Ledger, now: NotedLimits): Promise<void> {
  return ledger.remember(STEP_LIMITS_MEMO, JSON.stringify(now));
}

export interface Decision {
  /** null: unknown. */
  readonly isTaken: boolean | null;
  readonly says: string;
  readonly left: string | null;
}

export interface Noted extends Omit<Decision, "left"> {
  readonly probing: ProbeTitles | null;
}

const GUIDE_TRANSLATIONS_MEMO = "guide-translations";
export const PAGES = PAGE_TRANSLATIONS_MEMO;
export const NOTHING_KNOWN: Noted = { isTaken: null, says: "no probe was made", probing: null };

/** What earlier loads found out. Sends no request. */
export async function knownDecision(
  ledger: Ledger,
  name: string = GUIDE_TRANSLATIONS_MEMO,
): Promise<Omit<Decision, "left">> {
  const { isTaken, says } = await noted(ledger, name);
  return { isTaken, says };
}

export async function noted(ledger: Ledger, name: string = GUIDE_TRANSLATIONS_MEMO): Promise<Noted> {
  const memo = await ledger.recall(name);
  return memo === undefined ? NOTHING_KNOWN : (JSON.parse(memo) as Noted);
}

export function note(ledger: Ledger, now: Noted, name: string = GUIDE_TRANSLATIONS_MEMO): Promise<void> {
  return ledger.remember(name, JSON.stringify(now));
}
