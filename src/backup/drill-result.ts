import type { Key } from "../core/model/key.js";
import type { Failure } from "../storage/workspace/failure-list.js";
import type { LoadSummary } from "../sync/load.js";
import type { LossReport } from "../sync/loss-report.js";
import type { VerifySummary } from "../sync/verify/verify.js";
import type { FillSummary } from "./restore-fill.js";

/** What a trial restore came to. */
export interface DrillResult {
  readonly restorable: boolean;
  readonly items: number;
  /** Fields that were compared, and those of them that came back as they were. */
  readonly fields: number;
  readonly equal: number;
  /** Items that were chosen and that the service would not take as they are. */
  readonly refused: number;
  /** Answers that the backup keeps for people, and that no call of the service writes. */
  readonly records: number;
  /** What the service can't take, by code, how often. */
  readonly losses: Readonly<Record<string, number>>;
  /** Media whose bytes did not come back. */
  readonly bytesLost: readonly Key[];
  readonly failures: readonly Failure[];
}

export interface DrillParts {
  readonly filled: FillSummary;
  /** How many the snapshot, or what was chosen of it, has. */
  readonly records: number;
  readonly loaded: LoadSummary;
  readonly verified: VerifySummary;
  readonly report: LossReport;
  readonly bytesLost: readonly Key[];
  readonly failures: readonly Failure[];
  /** Items that were chosen and are not at the embedded site. */
  readonly leftOut: number;
}

/** A backup can be restored when nothing of it is damaged, and all that came back is as it was or a known loss. */
export function drillResult(parts: DrillParts): DrillResult {
  const { filled, records, loaded, verified, report, bytesLost, failures, leftOut } = parts;
  const { items, fields, differences, explained } = verified;
  const restorable = failures.length + filled.failed + loaded.operations.failed + differences === 0;
  return {
    restorable: restorable && bytesLost.length === 0,
    items,
    fields,
    equal: fields - differences - explained,
    refused: leftOut,
    records,
    losses: sumsOf(report.losses),
    bytesLost,
    failures,
  };
}

function sumsOf(losses: LossReport["losses"]): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const codes of Object.values(losses))
    for (const [code, times] of Object.entries(codes)) sums[code] = (sums[code] ?? 0) + times;
  return sums;
}
