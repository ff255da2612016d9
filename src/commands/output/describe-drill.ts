import type { SnapshotId } from "../../archive/repository/format.js";
import { timeOf } from "../../archive/repository/names.js";
import type { DrillResult } from "../../pipeline/backup/drill-result.js";
import { describeCodes } from "./describe.js";
import { count } from "./words.js";

/** `restorable: yes, 2026-11-20T03:00:00Z, 74 items, 99.97 % of 12,345 fields, losses: 3 × comments` */
export function describeDrill(snapshot: SnapshotId, result: DrillResult): string {
  const { restorable, items, fields, equal, refused, losses, bytesLost, failures } = result;
  const time = timeOf(snapshot).toISOString().replace(".000Z", "Z");
  const troubles: readonly (readonly [number, string])[] = [
    [failures.length, "failed"],
    [bytesLost.length, "without their bytes"],
    [refused, "refused"],
  ];
  const told = troubles.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  return [
    `restorable: ${restorable ? "yes" : "NO"}`,
    time,
    [count(items, "item"), ...told].join(", "),
    `${percentOf(equal, fields)} of ${fields.toLocaleString("en-US")} fields`,
    `losses: ${Object.keys(losses).length === 0 ? "none" : describeCodes(losses)}`,
  ].join(", ");
}

/** Cut, not rounded: what is not everything shall not look like it. */
function percentOf(part: number, whole: number): string {
  return whole === 0 ? "0 %" : `${(Math.floor((part / whole) * 10_000) / 100).toFixed(2)} %`;
}
