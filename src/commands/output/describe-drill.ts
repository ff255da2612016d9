import type { SnapshotId } from "../../storage/repository/format.js";
import { timeOf } from "../../storage/repository/names.js";
import type { DrillResult } from "../../backup/drill-result.js";
import { describeCodes } from "./describe.js";
import { count } from "./words.js";

/** `restorable: mostly, 2026-11-20T03:00:00Z, 74 items, 2 refused, 99.97 % of 12,345 fields, losses: 3 × comments, 207 records kept, no way to write them` */
export function describeDrill(snapshot: SnapshotId, result: DrillResult): string {
  const { items, fields, equal, refused, losses, bytesLost, failures, records } = result;
  const time = timeOf(snapshot).toISOString().replace(".000Z", "Z");
  const troubles: readonly (readonly [number, string])[] = [
    [failures.length, "failed"],
    [bytesLost.length, "without their bytes"],
    [refused, "refused"],
  ];
  const told = troubles.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  return [
    `restorable: ${verdictOf(result)}`,
    time,
    [count(items, "item"), ...told].join(", "),
    `${percentOf(equal, fields)} of ${fields.toLocaleString("en-US")} fields`,
    `losses: ${Object.keys(losses).length === 0 ? "none" : describeCodes(losses)}`,
    ...(records === 0 ? [] : [`${count(records, "record")} kept, no way to write ${records === 1 ? "it" : "them"}`]),
  ].join(", ");
}

function verdictOf({ restorable, refused }: DrillResult): string {
  if (!restorable) return "NO";
  return refused > 0 ? "mostly" : "yes";
}

/** Cut, not rounded: what is not everything shall not look like it. */
function percentOf(part: number, whole: number): string {
  return whole === 0 ? "0 %" : `${(Math.floor((part / whole) * 10_000) / 100).toFixed(2)} %`;
}
