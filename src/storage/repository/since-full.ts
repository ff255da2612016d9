import type { SnapshotIndex } from "./format.js";

/**
 * How many snapshots were made since the last full one, up to the last of these; 0: it is full itself, or there is none. Each snapshot tells it of
 * itself, since those between may be pruned; of older ones, which don't, as many are counted as there are.
 */
export function sinceFull(snapshots: readonly SnapshotIndex[]): number {
  let since = 0;
  for (const index of snapshots.toReversed()) {
    if (index.kind === "full") return since;
    if (index.sinceFull !== undefined) return since + index.sinceFull;
    since += 1;
  }
  // The full one that the first of them needs is lost.
  return Math.max(0, since - 1);
}
