import type { ItemRow, SnapshotIndex } from "../../storage/repository/format.js";
import type { OpenRepository } from "../../storage/repository/read/open-repository.js";
import { UsageError } from "../../core/errors.js";
import type { Key } from "../../core/model/key.js";

/** An item in the first snapshot that had it so. */
export interface Version {
  readonly index: SnapshotIndex;
  readonly row: ItemRow;
}

/**
 * Every version of an item, oldest first: each time its bytes changed, it went, or came back; empty: no snapshot has it. Snapshots in which it
 * can't have changed, by the counts of their index and the names in their archives, are passed over without reading their rows; so a year
 * of nights takes a moment. Throws what Repository says.
 */
export async function versionsOf(repository: OpenRepository, key: Key): Promise<readonly Version[]> {
  const last = repository.snapshots().at(-1);
  if (last === undefined) return [];
  const row = await repository.item(last.snapshot, key);
  const path = await pathOf(repository, key, row);
  const versions = await walk(repository, key, path);
  // Else something lies elsewhere than it always did: then nothing is passed over.
  return stateOf(versions.at(-1)?.row) === stateOf(row) ? versions : walk(repository, key, undefined);
}

/** Where its bytes lie in an archive, the same in all; undefined: it can't be told. */
async function pathOf(repository: OpenRepository, key: Key, row: ItemRow | undefined): Promise<string | undefined> {
  if (row === undefined || row.state === "present") return row?.path;
  const before = repository.snapshots().findLast(({ snapshot }) => snapshot < row.deleted);
  const earlier = before === undefined ? undefined : await repository.item(before.snapshot, key);
  return earlier?.state === "present" ? earlier.path : undefined;
}

async function walk(repository: OpenRepository, key: Key, path: string | undefined): Promise<readonly Version[]> {
  const versions: Version[] = [];
  let last: SnapshotIndex | undefined;
  for (const index of repository.snapshots()) {
    const isNext = last !== undefined && index.previous === last.snapshot;
    last = index;
    if (isNext && path !== undefined && !(await mayHaveChanged(repository, index, path))) continue;
    const row = await repository.item(index.snapshot, key);
    if (row !== undefined && stateOf(row) !== stateOf(versions.at(-1)?.row)) versions.push({ index, row });
  }
  return versions;
}

function stateOf(row: ItemRow | undefined): string {
  if (row === undefined) return "";
  return row.state === "deleted" ? "deleted" : row.sha256;
}

/**
 * May an item differ from how it was in the snapshot before? What is new or changed has its bytes, under `path`, in the archives of its
 * snapshot, unless the same bytes were written before.
 */
async function mayHaveChanged(repository: OpenRepository, index: SnapshotIndex, path: string): Promise<boolean> {
  const { counts, kind, archives } = index;
  if (counts.new + counts.changed + counts.deleted === 0) return false;
  if (kind !== "incremental" || counts.deleted > 0) return true;
  let written = 0;
  for (const { name } of archives) {
    const has = await repository.pool.use(name, ({ entries }) => {
      written += entries.countBelow("items/");
      return entries.find(path) !== undefined;
    });
    if (has) return true;
  }
  return written < counts.new + counts.changed;
}

/** What is told of a key that nobody has. */
export function neverSeen(repository: OpenRepository, key: Key): UsageError {
  return new UsageError(
    `No snapshot of ${repository.folder} has ${key}. \`guideferry diff REPO A B\` and items.ndjson in the archives show which keys there are.`,
    { exitCode: 10 },
  );
}
