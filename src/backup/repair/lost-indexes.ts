import type { SnapshotId } from "../../storage/repository/format.js";
import type { OpenRepository } from "../../storage/repository/read/open-repository.js";
import { commitIndex, writeNewIndex } from "../../storage/repository/write/write-index.js";
import type { RepositoryCheck } from "../verify/repository-check.js";

/**
 * Writes the indexes again that are lost or damaged and were made anew in memory, where everything in their main archives was found whole: its
 * own hash is then that of good bytes. Returns their snapshots. Throws ArchiveError for the disk.
 */
export async function writeLostIndexes(
  { folder, snapshots, rebuilt }: OpenRepository,
  { snapshots: checks, hits }: RepositoryCheck,
): Promise<readonly SnapshotId[]> {
  const written: SnapshotId[] = [];
  for (const index of snapshots()) {
    const { name, snapshot, archives } = index;
    const isReadable = checks.some((check) => check.snapshot === snapshot && check.unreadable === null);
    const isHit = hits.some(({ archive }) => archive === archives.at(-1)?.name);
    if (!rebuilt.has(snapshot) || !isReadable || isHit) continue;
    await writeNewIndex(folder, index);
    await commitIndex(folder, name, snapshot);
    written.push(snapshot);
  }
  return written;
}
