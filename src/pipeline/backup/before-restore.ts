import type { SnapshotIndex } from "../../archive/repository/format.js";

/** How `madeBy` ends for snapshots of a site that was about to be put back. */
const MARK = ", before a restore";

/** The version that such a snapshot is marked by. */
export function beforeRestore(version: string): string {
  return `${version}${MARK}`;
}

/**
 * The snapshots that a time can mean. One that a restore took first shows what was to be undone: it is the last one then, and the same command
 * given again, or another one with the date of today, would bring it back. So it goes by its name alone.
 */
export function meantByTime(snapshots: readonly SnapshotIndex[]): readonly SnapshotIndex[] {
  const meant = snapshots.filter(({ madeBy }) => !madeBy.endsWith(MARK));
  return meant.length === 0 ? snapshots : meant;
}
