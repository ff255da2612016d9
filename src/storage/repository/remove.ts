import { readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder } from "../../core/util/sync-folder.js";
import { onDisk } from "../archive/disk-error.js";
import { indexSchema, type SnapshotIndex } from "./format.js";
import { indexName, parseArchiveName, parseIndexName } from "./names.js";

/** What the index of a snapshot ends with while its archives are removed. */
export const REMOVED_INDEX = ".removed";

/**
 * Removes snapshots, in the order of README.md: killed anywhere, what stays is whole, and the next `finishRemovals` ends it. The caller holds the
 * lock and has seen to it that nothing which stays needs their archives. Throws ArchiveError when the disk fails.
 */
export async function removeSnapshots(folder: string, snapshots: readonly SnapshotIndex[]): Promise<void> {
  const youngestFirst = snapshots.toSorted((one, other) => (one.snapshot < other.snapshot ? 1 : -1));
  for (const { name, snapshot } of youngestFirst) {
    const file = join(folder, indexName(name, snapshot));
    await onDisk(`removing snapshot ${snapshot}`, rename(file, `${file}${REMOVED_INDEX}`));
    await onDisk(`removing snapshot ${snapshot}`, syncFolder(folder));
  }
  await finishRemovals(folder);
}

/** Removes the archives of snapshots that are marked as removed. To be called by whoever holds the lock. Gives the files that went. */
export async function finishRemovals(folder: string): Promise<readonly string[]> {
  const gone: string[] = [];
  const names = await onDisk(`looking at ${folder}`, readdir(folder));
  for (const file of names) {
    const archives = await markedArchives(folder, file);
    if (archives === undefined) continue;
    for (const archive of archives) await remove(folder, archive, gone);
    // The archives are gone for good before the mark that says so is.
    await onDisk(`removing ${file}`, syncFolder(folder));
    await remove(folder, file, gone);
  }
  if (gone.length > 0) await onDisk(`looking at ${folder}`, syncFolder(folder));
  return gone;
}

/**
 * The archives that a mark names, the main one last; undefined: the file is no mark. Only those of its own snapshot count, whatever it says.
 */
export async function markedArchives(folder: string, file: string): Promise<readonly string[] | undefined> {
  if (!file.endsWith(REMOVED_INDEX)) return undefined;
  const marked = parseIndexName(file.slice(0, -REMOVED_INDEX.length));
  if (marked === undefined) return undefined;
  const parsed = indexSchema.safeParse(jsonOf(await onDisk(`reading ${file}`, readFile(join(folder, file), "utf8"))));
  if (!parsed.success) return [];
  return parsed.data.archives
    .map(({ name }) => name)
    .filter((name) => {
      const archive = parseArchiveName(name);
      return archive?.snapshot === marked.snapshot && archive.name === marked.name;
    });
}

async function remove(folder: string, file: string, gone: string[]): Promise<void> {
  await onDisk(`removing ${file}`, rm(join(folder, file), { force: true }));
  gone.push(file);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Its shape is judged by the caller.
    return undefined;
  }
}
