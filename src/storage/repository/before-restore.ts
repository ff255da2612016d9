import type { SnapshotIndex } from "./format.js";

/** How `madeBy` ends for snapshots of a site that was about to be put back. */
const MARK = ", before a restore";

/** The version that such a snapshot is marked by. */
export function beforeRestore(version: string): string {
  return `${version}${MARK}`;
}

/** Did a restore take this snapshot, before it changed the site? It shows what was to be undone, and is no night of its own. */
export function isBeforeRestore({ madeBy }: Pick<SnapshotIndex, "madeBy">): boolean {
  return madeBy.endsWith(MARK);
}
