import type { SnapshotId, SnapshotIndex } from "./format.js";
import { startOf } from "./names.js";

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

/** A snapshot as the rules see it. */
export type Aged = Pick<SnapshotIndex, "snapshot" | "started">;

/**
 * Which snapshots are kept, and for the sake of what; the rules of restic's `forget`: of each period that has a snapshot, from the youngest
 * on, the last one, as many periods as are asked for; and the oldest of all while a kind has some left, so that history
 * reaches back as far as it can. Which is the younger one their names say, and the period the time at which their run began: so a night with a wrong
 * clock takes one place, and the nights behind it keep theirs. Nothing asked for keeps nothing.
 */
export function keptBy(snapshots: readonly Aged[], retention: Retention): ReadonlyMap<SnapshotId, readonly Period[]> {
  const kept = new Map<SnapshotId, Period[]>();
  const youngestFirst = snapshots.toSorted((one, other) => (one.snapshot < other.snapshot ? 1 : -1));
  for (const period of PERIODS) {
    let left = retention[period];
    const had = new Set<string>();
    for (const [at, aged] of youngestFirst.entries()) {
      const name = PERIOD_OF[period](startOf(aged), aged.snapshot);
      const isOldest = at === youngestFirst.length - 1;
      if (left <= 0 || (had.has(name) && !isOldest)) continue;
      kept.set(aged.snapshot, [...(kept.get(aged.snapshot) ?? []), period]);
      had.add(name);
      left -= 1;
    }
  }
  return kept;
}

/** The days, in UTC, on which runs began. */
export function daysOf(snapshots: readonly Aged[]): ReadonlySet<string> {
  return new Set(snapshots.map((aged) => PERIOD_OF.daily(startOf(aged), aged.snapshot)));
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
