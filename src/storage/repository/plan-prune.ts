import { EXIT, FerryError } from "../../core/errors.js";
import type { SnapshotId, SnapshotIndex } from "./format.js";
import { isBeforeRestore, parseArchiveName, startOf } from "./names.js";
import { snapshotNamed } from "./read/find-snapshot.js";

/**
 * Why a snapshot is kept: for a period, as the youngest complete one, because a restore took it and
 * may have to be undone, or because many items were deleted after it without a confirmation.
 */
type Reason = Period | "complete" | "before a restore" | "before many deletions";

/**
 * Days with later backups for which a snapshot of a restore is kept. Days are counted by backups,
 * so that a wrong clock removes none.
 */
const DAYS_AFTER_RESTORE = 30;

export interface PrunePlan {
  readonly kept: ReadonlyMap<SnapshotId, readonly Reason[]>;
  /** Snapshots kept by no rule, with the remaining snapshots that need their archives. */
  readonly held: ReadonlyMap<SnapshotId, readonly SnapshotId[]>;
  /** Oldest first, with the repair archives that are no longer needed. */
  readonly removed: readonly SnapshotIndex[];
  readonly freed: number;
}

/**
 * Removes snapshots that no rule keeps and that no remaining snapshot needs, directly or through
 * others. A snapshot that `compact` rewrote (with the same times and the same previous one)
 * replaces its original.
 */
export function planPrune(
  snapshots: readonly SnapshotIndex[],
  repairs: readonly SnapshotIndex[],
  retention: Retention,
): PrunePlan {
  const kept = keptOf(withoutCopied(snapshots), retention);
  const held = heldBack(snapshots, new Set(kept.keys()));
  const staying = snapshots.filter(({ snapshot }) => kept.has(snapshot) || held.has(snapshot));
  const going = snapshots.filter(({ snapshot }) => !kept.has(snapshot) && !held.has(snapshot));
  const removed = [...going, ...idleRepairs(repairs, staying)].toSorted((a, b) => (a.snapshot < b.snapshot ? -1 : 1));
  return { kept, held, removed, freed: removed.reduce((sum, index) => sum + bytesOf(index), 0) };
}

/** Snapshots of restores are kept additionally: they count neither for a period nor as complete. */
function keptOf(snapshots: readonly SnapshotIndex[], retention: Retention): ReadonlyMap<SnapshotId, readonly Reason[]> {
  const backups = snapshots.filter((index) => !isBeforeRestore(index));
  const kept = new Map<SnapshotId, readonly Reason[]>(keptBy(backups, retention));
  const complete = backups.findLast((index) => index.complete)?.snapshot;
  if (complete !== undefined && !kept.has(complete)) kept.set(complete, ["complete"]);
  const unconfirmed = unconfirmedSince(backups);
  for (const { snapshot } of backups) {
    if (unconfirmed === undefined || snapshot >= unconfirmed) break;
    kept.set(snapshot, [...(kept.get(snapshot) ?? []), "before many deletions"]);
  }
  for (const { snapshot } of snapshots.filter(isBeforeRestore)) {
    const later = daysOf(backups.filter((backup) => backup.snapshot > snapshot));
    if (later.size < DAYS_AFTER_RESTORE) kept.set(snapshot, ["before a restore"]);
  }
  return kept;
}

/**
 * The youngest snapshot with more deletions than allowed, unless a later backup confirmed them.
 *
 * @param backups oldest first
 */
export function unconfirmedSince(backups: readonly SnapshotIndex[]): SnapshotId | undefined {
  const last = backups.findLast((backup) => backup.manyDeleted !== undefined || backup.deletionsAccepted === true);
  return last?.manyDeleted === undefined ? undefined : last.snapshot;
}

export function bytesOf({ archives }: SnapshotIndex): number {
  return archives.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** The other snapshots whose archives a snapshot needs. */
export function neededBy({ snapshot, needs }: SnapshotIndex): ReadonlySet<SnapshotId> {
  const others = needs.map(({ archive }) => parseArchiveName(archive)?.snapshot);
  return new Set(others.filter((other) => other !== undefined && other !== snapshot) as SnapshotId[]);
}

/** The snapshots and all others whose archives they need, directly or through others. */
export function chainOf(snapshots: readonly SnapshotIndex[], from: Iterable<SnapshotId>): ReadonlySet<SnapshotId> {
  const byId = new Map(snapshots.map((index) => [index.snapshot, index]));
  const chain = new Set<SnapshotId>();
  const waiting = [...from];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const index = byId.get(id);
    if (index === undefined || chain.has(id)) continue;
    chain.add(id);
    waiting.push(...neededBy(index));
  }
  return chain;
}

function withoutCopied(snapshots: readonly SnapshotIndex[]): readonly SnapshotIndex[] {
  const nameOf = ({ started, finished, previous }: SnapshotIndex): string => `${started} ${finished} ${previous}`;
  const last = new Map(snapshots.map((index) => [nameOf(index), index.snapshot]));
  return snapshots.filter((index) => last.get(nameOf(index)) === index.snapshot);
}

function heldBack(
  snapshots: readonly SnapshotIndex[],
  kept: ReadonlySet<SnapshotId>,
): ReadonlyMap<SnapshotId, readonly SnapshotId[]> {
  const staying = chainOf(snapshots, kept);
  const held = new Map<SnapshotId, SnapshotId[]>();
  for (const index of snapshots.filter(({ snapshot }) => staying.has(snapshot))) {
    for (const needed of neededBy(index)) {
      if (!kept.has(needed) && staying.has(needed)) held.set(needed, [...(held.get(needed) ?? []), index.snapshot]);
    }
  }
  return held;
}

/** A repair archive only repairs older archives. Without these it is not needed. */
function idleRepairs(repairs: readonly SnapshotIndex[], staying: readonly SnapshotIndex[]): readonly SnapshotIndex[] {
  const oldest = staying.map(({ snapshot }) => snapshot).toSorted()[0];
  return oldest === undefined ? [] : repairs.filter(({ snapshot }) => snapshot < oldest);
}

const NAMED = 8;

/**
 * Plans to remove one snapshot and keep all others. Throws ArchiveError (exit 10) when it does not
 * exist, and FerryError (exit 8) when others need its archives or every prune would keep it: the
 * youngest one, the youngest complete one, and those before unconfirmed deletions.
 */
export function planDrop(
  snapshots: readonly SnapshotIndex[],
  repairs: readonly SnapshotIndex[],
  { drop, folder }: { readonly drop: SnapshotId; readonly folder: string },
): PrunePlan {
  const index = snapshotNamed(snapshots, drop, folder);
  const backups = snapshots.filter((one) => !isBeforeRestore(one));
  refuseNeeded(snapshots, drop);
  if (snapshots.at(-1) === index)
    refuseDrop(drop, "it is the youngest snapshot, and the next backup builds on it.", "Make another backup first.");
  if (backups.findLast(({ complete }) => complete) === index)
    refuseDrop(
      drop,
      "it is the youngest complete snapshot.",
      "Make a complete backup first: `guideferry snapshots` shows which snapshots are incomplete.",
    );
  const unconfirmed = unconfirmedSince(backups);
  if (unconfirmed !== undefined && drop < unconfirmed && !isBeforeRestore(index))
    refuseDrop(
      drop,
      `the snapshot ${unconfirmed} has more deletions than --max-deletions allows, and nobody has confirmed them.`,
      "If the deletions are intended, run a backup once with --max-deletions 100%.",
    );
  const staying = snapshots.filter((one) => one !== index);
  const removed = [index, ...idleRepairs(repairs, staying)].toSorted((a, b) => (a.snapshot < b.snapshot ? -1 : 1));
  return {
    kept: new Map(staying.map(({ snapshot }) => [snapshot, []])),
    held: new Map(),
    removed,
    freed: removed.reduce((sum, one) => sum + bytesOf(one), 0),
  };
}

function refuseNeeded(snapshots: readonly SnapshotIndex[], drop: SnapshotId): void {
  const dependents = snapshots.filter((index) => neededBy(index).has(drop)).map(({ snapshot }) => snapshot);
  if (dependents.length === 0) return;
  const more = dependents.length > NAMED ? ` and ${dependents.length - NAMED} more` : "";
  refuseDrop(
    drop,
    `these snapshots need its archives: ${dependents.slice(0, NAMED).join(", ")}${more}.`,
    "Drop those snapshots first, beginning with the youngest. Or run `guideferry prune REPO --keep-… --compact`, which rewrites the kept snapshots without these archives.",
  );
}

function refuseDrop(drop: SnapshotId, why: string, remedy: string): never {
  throw new FerryError(`The snapshot ${drop} cannot be dropped: ${why} Nothing was removed. ${remedy}`, {
    exitCode: EXIT.safetyLimit,
  });
}

/** The number of periods of each kind for which a snapshot is kept. */
export interface Retention {
  readonly last: number;
  readonly daily: number;
  readonly weekly: number;
  readonly monthly: number;
  readonly yearly: number;
}

export type Period = keyof Retention;

export const PERIODS: readonly Period[] = ["last", "daily", "weekly", "monthly", "yearly"];

/** The name of the period of a time, in UTC; weeks by ISO 8601. */
const PERIOD_OF: Readonly<Record<Period, (time: Date, id: SnapshotId) => string>> = {
  last: (_time, id) => id,
  daily: (time) => time.toISOString().slice(0, 10),
  weekly: (time) => isoWeek(time),
  monthly: (time) => time.toISOString().slice(0, 7),
  yearly: (time) => time.toISOString().slice(0, 4),
};

export type Aged = Pick<SnapshotIndex, "snapshot" | "started">;

/**
 * The kept snapshots with their periods, by the rules of restic's `forget`: the last snapshot of
 * each period, beginning with the youngest, for the given number of periods; and the oldest
 * snapshot if fewer periods exist. The order is that of the names, the period that of the start
 * time: so a snapshot with a wrong clock uses one period, and the others keep theirs.
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

/** The days, in UTC, on which runs started. */
function daysOf(snapshots: readonly Aged[]): ReadonlySet<string> {
  return new Set(snapshots.map((aged) => PERIOD_OF.daily(startOf(aged), aged.snapshot)));
}

/** Is a period given? Without one, nothing may be removed. */
export function asksForAny(retention: Retention): boolean {
  return PERIODS.some((period) => retention[period] > 0);
}

/** `2026-W47`: the year and week of the Thursday. */
function isoWeek(time: Date): string {
  const day = (time.getUTCDay() + 6) % 7;
  const thursday = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate() - day + 3));
  const dayOfYear = (thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / 86_400_000;
  return `${thursday.getUTCFullYear()}-W${String(1 + Math.floor(dayOfYear / 7)).padStart(2, "0")}`;
}
