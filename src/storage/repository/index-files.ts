import { open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { syncFolder, writeWhole } from "../../core/util/files.js";
import { parseJson } from "../../core/util/json.js";
import { onDisk } from "../archive/disk-error.js";
import { indexSchema, REPOSITORY_FORMAT, type SnapshotId, type SnapshotIndex, snapshotIdSchema } from "./format.js";
import { indexName, parseArchiveName, parseIndexName } from "./names.js";
import { leftNotes } from "./proven.js";

/** What an index ends with until its main archive has its name. */
const NEW_INDEX = ".new";

/**
 * Writes the index under the name that `commitIndex` ends, synced; what an earlier run left there
 * is replaced.
 */
export async function writeNewIndex(folder: string, index: SnapshotIndex): Promise<void> {
  const file = join(folder, `${indexName(index.name, index.snapshot)}${NEW_INDEX}`);
  await onDisk(`writing ${file}`, writeSynced(file, `${JSON.stringify(index, null, 2)}\n`));
  await onDisk(`writing ${file}`, syncFolder(folder));
}

/** Gives the index its name. */
export async function commitIndex(folder: string, name: string, snapshot: SnapshotId): Promise<void> {
  const file = join(folder, indexName(name, snapshot));
  await onDisk(`writing ${file}`, rename(`${file}${NEW_INDEX}`, file));
  await onDisk(`writing ${file}`, syncFolder(folder));
}

async function writeSynced(file: string, text: string): Promise<void> {
  const handle = await open(file, "w", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

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
 * Ends or takes back what a killed run left; README.md, "The folder", says why that is certain. To
 * be called by whoever holds the lock of the repository, before anything is read or written. Takes
 * nothing away that a snapshot could need. Throws ArchiveError.
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
 * Files under work, indexes of snapshots that never came to be, and the parts of these. Parts
 * without an index and a main archive are of a broken-off run only where no snapshot is later:
 * others lost theirs by damage, and hold what later snapshots need.
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

/** What the index of a snapshot ends with while its archives are removed. */
export const REMOVED_INDEX = ".removed";

/**
 * Removes snapshots, in the order of README.md: killed anywhere, what stays is whole, and the next
 * `finishRemovals` ends it. The caller holds the lock and has seen to it that nothing which stays
 * needs their archives. Throws ArchiveError when the disk fails.
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

/**
 * Removes the archives of snapshots that are marked as removed. To be called by whoever holds the
 * lock. Gives the files that went.
 */
export async function finishRemovals(folder: string): Promise<readonly string[]> {
  const gone: string[] = [];
  const names = await onDisk(`looking at ${folder}`, readdir(folder));
  for (const file of names) {
    const archives = await markedArchives(folder, file);
    if (archives === undefined) continue;
    for (const archive of archives) await removeFile(folder, archive, gone);
    // The archives are gone for good before the mark that says so is.
    await onDisk(`removing ${file}`, syncFolder(folder));
    await removeFile(folder, file, gone);
  }
  if (gone.length > 0) await onDisk(`looking at ${folder}`, syncFolder(folder));
  return gone;
}

/**
 * The archives that a mark names, the main one last; undefined: the file is no mark. Only those of
 * its own snapshot count, whatever it says.
 */
export async function markedArchives(folder: string, file: string): Promise<readonly string[] | undefined> {
  if (!file.endsWith(REMOVED_INDEX)) return undefined;
  const marked = parseIndexName(file.slice(0, -REMOVED_INDEX.length));
  if (marked === undefined) return undefined;
  const parsed = indexSchema.safeParse(
    parseJson(await onDisk(`reading ${file}`, readFile(join(folder, file), "utf8"))),
  );
  if (!parsed.success) return [];
  return parsed.data.archives
    .map(({ name }) => name)
    .filter((name) => {
      const archive = parseArchiveName(name);
      return archive?.snapshot === marked.snapshot && archive.name === marked.name;
    });
}

async function removeFile(folder: string, file: string, gone: string[]): Promise<void> {
  await onDisk(`removing ${file}`, rm(join(folder, file), { force: true }));
  gone.push(file);
}

/** Two files with the same words: a disk that loses the youngest files may lose one of them. */
const HEADS = ["head.json", "head.copy.json"] as const;
export const [HEAD] = HEADS;

const headSchema = z.object({ format: z.literal(REPOSITORY_FORMAT), snapshot: snapshotIdSchema });

/**
 * Notes which snapshot is the youngest, so that its loss is noticed although nothing else tells of
 * it. Never goes back: `prune --compact` writes old ones anew. Throws ArchiveError when the disk
 * fails.
 */
export async function writeHead(folder: string, snapshot: SnapshotId): Promise<void> {
  if (snapshot < ((await readHead(folder)) ?? "")) return;
  const text = `${JSON.stringify({ format: REPOSITORY_FORMAT, snapshot })}\n`;
  for (const name of HEADS) await onDisk(`writing ${join(folder, name)}`, writeWhole(join(folder, name), text));
  await onDisk(`writing ${folder}`, syncFolder(folder));
}

/**
 * The youngest snapshot that was noted; undefined: none was, as in repositories of early versions,
 * or both notes are damaged.
 */
export async function readHead(folder: string): Promise<SnapshotId | undefined> {
  const noted: SnapshotId[] = [];
  for (const name of HEADS) {
    const parsed = headSchema.safeParse(parseJson(await textOf(join(folder, name))));
    if (parsed.success) noted.push(parsed.data.snapshot);
  }
  return noted.toSorted().at(-1);
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch {
    // A note that can't be read tells nothing: the other one may.
    return "";
  }
}
