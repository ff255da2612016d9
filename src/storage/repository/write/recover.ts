import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder } from "../../../core/util/sync-folder.js";
import { onDisk } from "../../archive/disk-error.js";
import type { SnapshotId } from "../format.js";
import { parseArchiveName, parseIndexName } from "../names.js";
import { leftNotes } from "../proven.js";
import { commitIndex, NEW_INDEX } from "./write-index.js";

/** What files under work begin with, see `makeBeside`. */
const UNDER_WORK = ".guideferry-";

/** What `recover` did. */
export interface Recovered {
  /** Snapshots whose last step was done. */
  readonly ended: readonly SnapshotId[];
  /** Files of broken-off snapshots that were taken away. */
  readonly removed: readonly string[];
}

/**
 * Ends or takes back what a killed run left; README.md, "The folder", says why that is certain. To be called by whoever holds the lock of the
 * repository, before anything is read or written. Takes nothing away that a snapshot could need. Throws ArchiveError.
 */
export async function recover(folder: string): Promise<Recovered> {
  const doing = `looking at ${folder}`;
  const files = await onDisk(doing, readdir(folder));
  const ended = await endCommitted(folder, files);
  const ofSnapshots = leftOvers(files, new Set(ended.map(({ file }) => file)));
  const removed = [...ofSnapshots, ...(await leftNotes(folder, files))];
  for (const file of removed)
    await onDisk(`removing ${file}`, rm(join(folder, file), { recursive: true, force: true }));
  if (removed.length > 0) await onDisk(doing, syncFolder(folder));
  return { ended: ended.map(({ snapshot }) => snapshot), removed };
}

async function endCommitted(folder: string, files: readonly string[]) {
  const ended: { readonly file: string; readonly snapshot: SnapshotId }[] = [];
  for (const file of files) {
    const index = file.endsWith(NEW_INDEX) ? parseIndexName(file.slice(0, -NEW_INDEX.length)) : undefined;
    if (index === undefined || !hasMain(files, index)) continue;
    await commitIndex(folder, index.name, index.snapshot);
    ended.push({ file, snapshot: index.snapshot });
  }
  return ended;
}

interface Named {
  readonly name: string;
  readonly snapshot: SnapshotId;
}

function hasMain(files: readonly string[], { name, snapshot }: Named): boolean {
  return files.some((file) => {
    const found = parseArchiveName(file);
    return found?.part === null && found.name === name && found.snapshot === snapshot;
  });
}

/**
 * Files under work, indexes of snapshots that never came to be, and the parts of these. Parts without an index and a main archive are of a
 * broken-off run only where no snapshot is later: others lost theirs by damage, and hold what later snapshots need.
 */
function leftOvers(files: readonly string[], ended: ReadonlySet<string>): readonly string[] {
  const last = files.reduce((latest, file) => {
    const snapshot = parseIndexName(file)?.snapshot ?? "";
    return snapshot > latest ? snapshot : latest;
  }, "");
  return files.filter((file) => {
    if (file.startsWith(UNDER_WORK)) return true;
    if (file.endsWith(NEW_INDEX) && parseIndexName(file.slice(0, -NEW_INDEX.length)) !== undefined)
      return !ended.has(file);
    const archive = parseArchiveName(file);
    if (archive === undefined || archive.part === null || hasMain(files, archive)) return false;
    return archive.snapshot > last;
  });
}
