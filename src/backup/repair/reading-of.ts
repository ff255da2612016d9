import type { ReadingOptions, SnapshotId } from "../../storage/repository/format.js";
import { isDamage } from "../../storage/repository/read/damage.js";
import type { OpenRepository } from "../../storage/repository/read/open-repository.js";

/**
 * How snapshots were read, in one: as the youngest, which tells how bytes are made, with the families and languages of them all, which come beside.
 * undefined: none of them says it, or can be read.
 */
export async function readingOf(
  repository: OpenRepository,
  snapshots: ReadonlySet<SnapshotId>,
): Promise<ReadingOptions | undefined> {
  let all: ReadingOptions | undefined;
  for (const { snapshot } of repository.snapshots().toReversed()) {
    const one = snapshots.has(snapshot) ? await readingIn(repository, snapshot) : undefined;
    if (one !== undefined) all = all === undefined ? one : both(all, one);
  }
  return all;
}

function both(younger: ReadingOptions, older: ReadingOptions): ReadingOptions {
  const isAll = younger.languages.length === 0 || older.languages.length === 0;
  return {
    ...younger,
    languages: isAll ? [] : [...new Set([...younger.languages, ...older.languages])],
    personalData: younger.personalData || older.personalData,
  };
}

async function readingIn(repository: OpenRepository, snapshot: SnapshotId): Promise<ReadingOptions | undefined> {
  try {
    return (await repository.manifest(snapshot)).reading;
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}
