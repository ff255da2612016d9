import { EXIT, FerryError } from "../../core/errors.js";
import type { SnapshotId, SnapshotIndex } from "./format.js";
import { isBeforeRestore, parseArchiveName, startOf } from "./names.js";
import { snapshotNamed } from "./read/find-snapshot.js";

/**
 * Why a snapshot is kept: for a period, as the youngest that is complete, without which nothing
 * good might be left, since a restore took it and may still be regretted, or since too much
 * vanished after it and nobody has agreed to that yet.
 */
type Reason = Period | "complete" | "before a restore" | "before many deletions";

/**
 * What a restore overwrote is kept until the nights of so many later days are there: counted by
 * nights, a wrong clock takes none away.
 */
const DAYS_OF_REGRET = 30;

/** What a prune would do. */
export interface PrunePlan {
  readonly kept: ReadonlyMap<SnapshotId, readonly Reason[]>;
  /** Those that nobody asked to keep, with the snapshots that stay and need their archives. */
  readonly held: ReadonlyMap<SnapshotId, readonly SnapshotId[]>;
  /** Oldest first; repairs of what goes are among them. */
  readonly removed: readonly SnapshotIndex[];
  /** Bytes of their files. */
  readonly freed: number;
}

/**
 * Decides what goes: what no rule keeps and nothing that stays needs. Who stays is whole: what is
 * needed by one that is needed stays as well. A snapshot that was written anew by `compact` (one of
 * the same times that follows the same one) stands for the one before it.
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

/**
 * A snapshot that a restore took is kept on top: it takes no night's place, and is none that is
 * good.
 */
function keptOf(snapshots: readonly SnapshotIndex[], retention: Retention): ReadonlyMap<SnapshotId, readonly Reason[]> {
  const nights = snapshots.filter((index) => !isBeforeRestore(index));
  const kept = new Map<SnapshotId, readonly Reason[]>(keptBy(nights, retention));
  const complete = nights.findLast((index) => index.complete)?.snapshot;
  if (complete !== undefined && !kept.has(complete)) kept.set(complete, ["complete"]);
  const doubted = doubtedSince(nights);
  for (const { snapshot } of nights) {
    if (doubted === undefined || snapshot >= doubted) break;
    kept.set(snapshot, [...(kept.get(snapshot) ?? []), "before many deletions"]);
  }
  for (const { snapshot } of snapshots.filter(isBeforeRestore)) {
    const later = daysOf(nights.filter((night) => night.snapshot > snapshot));
    if (later.size < DAYS_OF_REGRET) kept.set(snapshot, ["before a restore"]);
  }
  return kept;
}

/**
 * The youngest snapshot of a night on which too much vanished, unless a later one was taken with
 * the agreement to that. Oldest first.
 */
export function doubtedSince(nights: readonly SnapshotIndex[]): SnapshotId | undefined {
  const last = nights.findLast((night) => night.manyDeleted !== undefined || night.deletionsAccepted === true);
  return last?.manyDeleted === undefined ? undefined : last.snapshot;
}

/** Bytes of a snapshot's own files. */
export function bytesOf({ archives }: SnapshotIndex): number {
  return archives.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** The other snapshots whose archives one needs. */
export function neededBy({ snapshot, needs }: SnapshotIndex): ReadonlySet<SnapshotId> {
  const others = needs.map(({ archive }) => parseArchiveName(archive)?.snapshot);
  return new Set(others.filter((other) => other !== undefined && other !== snapshot) as SnapshotId[]);
}

/** A snapshot and, over any number of steps, all whose archives it needs. */
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

/**
 * A repair put right what was there before it: without any older archive it has nothing left to do.
 */
function idleRepairs(repairs: readonly SnapshotIndex[], staying: readonly SnapshotIndex[]): readonly SnapshotIndex[] {
  const oldest = staying.map(({ snapshot }) => snapshot).toSorted()[0];
  return oldest === undefined ? [] : repairs.filter(({ snapshot }) => snapshot < oldest);
}

const NAMED = 8;

/**
 * What removing one snapshot means: all others are kept. Throws ArchiveError (exit 10) where there
 * is none of this name, and FerryError (exit 8) where others need its archives, or where a prune
 * would keep it whatever its rules are: it is the youngest, the youngest complete one, or of before
 * a night on which too much vanished.
 */
export function planDrop(
  snapshots: readonly SnapshotIndex[],
  repairs: readonly SnapshotIndex[],
  { drop, folder }: { readonly drop: SnapshotId; readonly folder: string },
): PrunePlan {
  const index = snapshotNamed(snapshots, drop, folder);
  const nights = snapshots.filter((one) => !isBeforeRestore(one));
  refuseNeeded(snapshots, drop);
  if (snapshots.at(-1) === index)
    refuseDrop(drop, "it is the youngest one, and the next backup builds on it.", "Make another backup first.");
  if (nights.findLast(({ complete }) => complete) === index)
    refuseDrop(
      drop,
      "it is the youngest one that is complete.",
      "Make a complete backup first: `guideferry snapshots` shows which ones are not.",
    );
  const doubted = doubtedSince(nights);
  if (doubted !== undefined && drop < doubted && !isBeforeRestore(index))
    refuseDrop(
      drop,
      `more vanished on the night of ${doubted} than --max-deletions allows, and nobody has agreed to that.`,
      "If it was meant to be so, run a backup once with --max-deletions 100%.",
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
    `its archives hold what these snapshots need: ${dependents.slice(0, NAMED).join(", ")}${more}.`,
    "Drop those first, the youngest of them first, or free them with `guideferry prune REPO --keep-… --compact`, which writes what is kept anew.",
  );
}

function refuseDrop(drop: SnapshotId, why: string, remedy: string): never {
  throw new FerryError(`The snapshot ${drop} can't be dropped: ${why} Nothing was removed. ${remedy}`, {
    exitCode: EXIT.safetyLimit,
  });
}

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
 * Which snapshots are kept, and for the sake of what; the rules of restic's `forget`: of each
 * period that has a snapshot, from the youngest on, the last one, as many periods as are asked for;
 * and the oldest of all while a kind has some left, so that history reaches back as far as it can.
 * Which is the younger one their names say, and the period the time at which their run began: so a
 * night with a wrong clock takes one place, and the nights behind it keep theirs. Nothing asked for
 * keeps nothing.
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
function daysOf(snapshots: readonly Aged[]): ReadonlySet<string> {
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
