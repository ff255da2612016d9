import type { SnapshotId } from "./format.js";
import { timeOf } from "./names.js";

/** How many snapshots are kept for each kind of period; 0: none for its sake. */
export interface Retention {
  readonly last: number;
  readonly daily: number;
  readonly weekly: number;
  readonly monthly: number;
  readonly yearly: number;
}

export type Period = keyof Retention;

export const PERIODS: readonly Period[] = ["last", "daily", "weekly", "monthly", "yearly"];

/** The name of the period that a time falls into, in UTC; weeks are those of ISO 8601. */
const PERIOD_OF: Readonly<Record<Period, (time: Date, id: SnapshotId) => string>> = {
  last: (_time, id) => id,
  daily: (time) => time.toISOString().slice(0, 10),
  weekly: (time) => isoWeek(time),
  monthly: (time) => time.toISOString().slice(0, 7),
  yearly: (time) => time.toISOString().slice(0, 4),
};

/**
 * Which snapshots are kept, and for the sake of what; the rules of restic's `forget`: of each period that has a snapshot, from the youngest
 * on, the last one, as many periods as are asked for; and the oldest of all while a kind has some left, so that history
 * reaches back as far as it can. Nothing asked for keeps nothing.
 */
export function keptBy(
  snapshots: readonly SnapshotId[],
  retention: Retention,
): ReadonlyMap<SnapshotId, readonly Period[]> {
  const kept = new Map<SnapshotId, Period[]>();
  const youngestFirst = snapshots.toSorted().reverse();
  for (const period of PERIODS) {
    let left = retention[period];
    let before: string | undefined;
    for (const [at, id] of youngestFirst.entries()) {
      const name = PERIOD_OF[period](timeOf(id), id);
      const isOldest = at === youngestFirst.length - 1;
      if (left <= 0 || (name === before && !isOldest)) continue;
      kept.set(id, [...(kept.get(id) ?? []), period]);
      before = name;
      left -= 1;
    }
  }
  return kept;
}

/** Is anything to be kept for the sake of a period? Without that, nothing may be removed. */
export function asksForAny(retention: Retention): boolean {
  return PERIODS.some((period) => retention[period] > 0);
}

/** `2026-W47`: the year and week of its Thursday. */
function isoWeek(time: Date): string {
  const day = (time.getUTCDay() + 6) % 7;
  const thursday = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate() - day + 3));
  const dayOfYear = (thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / 86_400_000;
  return `${thursday.getUTCFullYear()}-W${String(1 + Math.floor(dayOfYear / 7)).padStart(2, "0")}`;
}
