import { isBeforeRestore } from "./before-restore.js";
import type { SnapshotId, SnapshotIndex } from "./format.js";
import { parseArchiveName } from "./names.js";
import { daysOf, keptBy, type Period, type Retention } from "./retention.js";

/**
 * Why a snapshot is kept: for a period, as the youngest that is complete, without which nothing good might be left, since a restore took it and may
 * still be regretted, or since too much vanished after it and nobody has agreed to that yet.
 */
export type Reason = Period | "complete" | "before a restore" | "before many deletions";

/** What a restore overwrote is kept until the nights of so many later days are there: counted by nights, a wrong clock takes none away. */
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
 * Decides what goes: what no rule keeps and nothing that stays needs. Who stays is whole: what is needed by one that is needed stays as well.
 * A snapshot that was written anew by `compact` (one of the same times that follows the same one) stands for the one before it.
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

/** A snapshot that a restore took is kept on top: it takes no night's place, and is none that is good. */
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

/** The youngest snapshot of a night on which too much vanished, unless a later one was taken with the agreement to that. Oldest first. */
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

/** A repair put right what was there before it: without any older archive it has nothing left to do. */
export function idleRepairs(
  repairs: readonly SnapshotIndex[],
  staying: readonly SnapshotIndex[],
): readonly SnapshotIndex[] {
  const oldest = staying.map(({ snapshot }) => snapshot).toSorted()[0];
  return oldest === undefined ? [] : repairs.filter(({ snapshot }) => snapshot < oldest);
}
