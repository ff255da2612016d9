import { open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { syncFolder } from "../../core/util/files.js";
import { parseJson } from "../../core/util/json.js";
import { onDisk } from "../archive/disk-error.js";
import { indexSchema, REPOSITORY_FORMAT, type SnapshotId, type SnapshotIndex, snapshotIdSchema } from "./format.js";
import { indexName, parseArchiveName, parseIndexName } from "./names.js";
import { leftNotes } from "./proven.js";

/** Suffix of an index until its main archive has its name. */
const NEW_INDEX = ".new";

/** Writes and syncs the index under a temporary name, which `commitIndex` removes. */
export async function writeNewIndex(folder: string, index: SnapshotIndex): Promise<void> {
  const file = join(folder, `${indexName(index.name, index.snapshot)}${NEW_INDEX}`);
  await onDisk(`writing ${file}`, writeSynced(file, `${JSON.stringify(index, null, 2)}\n`));
  await onDisk(`writing ${file}`, syncFolder(folder));
}

export async function commitIndex(folder: string, name: string, snapshot: SnapshotId): Promise<void> {
  const file = join(folder, indexName(name, snapshot));
  await onDisk(`writing ${file}`, rename(`${file}${NEW_INDEX}`, file));
  await onDisk(`writing ${file}`, syncFolder(folder));
}

/** Replaces a small file by way of `NAME.new`. The caller syncs the folder. */
export async function replaceFile(file: string, text: string): Promise<void> {
  await writeSynced(`${file}.new`, text);
  await rename(`${file}.new`, file);
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

/** Prefix of temporary files, see `replaceAtomically`. */
const TEMPORARY = ".guideferry-";

export interface Recovered {
  /** Snapshots whose last step was completed. */
  readonly ended: readonly SnapshotId[];
  readonly removed: readonly string[];
}

/**
 * Completes or removes what a killed run left; docs/design/repository.md, "The folder", gives the
 * reasons. Call it with the lock of the repository, before anything is read or written. It removes
 * nothing that a snapshot could need. Throws ArchiveError.
 */
export async function recover(folder: string): Promise<Recovered> {
  const doing = `reading the folder ${folder}`;
  const files = await onDisk(doing, readdir(folder));
  const ended = await completeCommitted(folder, files);
  const ofSnapshots = leftOvers(files, new Set(ended.map(({ file }) => file)));
  const removed = [...ofSnapshots, ...(await leftNotes(folder, files))];
  for (const file of removed)
    await onDisk(`removing ${file}`, rm(join(folder, file), { recursive: true, force: true }));
  if (removed.length > 0) await onDisk(doing, syncFolder(folder));
  return { ended: ended.map(({ snapshot }) => snapshot), removed };
}

async function completeCommitted(folder: string, files: readonly string[]) {
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
 * Temporary files, and the indexes and parts of incomplete snapshots. Parts without an index and a
 * main archive belong to a killed run only if no snapshot is later: others lost theirs by damage,
 * and later snapshots may need them.
 */
function leftOvers(files: readonly string[], ended: ReadonlySet<string>): readonly string[] {
  const last = files.reduce((latest, file) => {
    const snapshot = parseIndexName(file)?.snapshot ?? "";
    return snapshot > latest ? snapshot : latest;
  }, "");
  return files.filter((file) => {
    if (file.startsWith(TEMPORARY)) return true;
    if (file.endsWith(NEW_INDEX) && parseIndexName(file.slice(0, -NEW_INDEX.length)) !== undefined)
      return !ended.has(file);
    const archive = parseArchiveName(file);
    if (archive === undefined || archive.part === null || hasMain(files, archive)) return false;
    return archive.snapshot > last;
  });
}

/** Suffix of the index of a snapshot while its archives are being removed. */
export const REMOVED_INDEX = ".removed";

/**
 * Removes snapshots in the order of docs/design/repository.md: after a kill at any point, the other
 * snapshots are complete, and the next `finishRemovals` ends the removal. The caller holds the lock
 * and has checked that no other snapshot needs the archives. Throws ArchiveError for the disk.
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

/** Removes the archives of marked snapshots; returns their names. Call it with the lock. */
export async function finishRemovals(folder: string): Promise<readonly string[]> {
  const removed: string[] = [];
  const names = await onDisk(`reading the folder ${folder}`, readdir(folder));
  for (const file of names) {
    const archives = await markedArchives(folder, file);
    if (archives === undefined) continue;
    for (const archive of archives) await removeFile(folder, archive, removed);
    // The removal of the archives is durable before their mark is removed.
    await onDisk(`removing ${file}`, syncFolder(folder));
    await removeFile(folder, file, removed);
  }
  if (removed.length > 0) await onDisk(`syncing ${folder}`, syncFolder(folder));
  return removed;
}

/**
 * The archives of a mark, the main one last; undefined: the file is not a mark. Archives of other
 * snapshots are ignored.
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

async function removeFile(folder: string, file: string, removed: string[]): Promise<void> {
  await onDisk(`removing ${file}`, rm(join(folder, file), { force: true }));
  removed.push(file);
}

/** Two files with the same content, since a disk may lose one of the youngest files. */
const HEADS = ["head.json", "head.copy.json"] as const;
export const [HEAD] = HEADS;

const headSchema = z.object({ format: z.literal(REPOSITORY_FORMAT), snapshot: snapshotIdSchema });

/**
 * Records the youngest snapshot, so that its loss is noticed even if no other file refers to it. It
 * never records an older one than before, as `prune --compact` rewrites old ones. Throws
 * ArchiveError for the disk.
 */
export async function writeHead(folder: string, snapshot: SnapshotId): Promise<void> {
  if (snapshot < ((await readHead(folder)) ?? "")) return;
  const text = `${JSON.stringify({ format: REPOSITORY_FORMAT, snapshot })}\n`;
  for (const name of HEADS) await onDisk(`writing ${join(folder, name)}`, replaceFile(join(folder, name), text));
  await onDisk(`writing ${folder}`, syncFolder(folder));
}

/** The recorded youngest snapshot; undefined: none (early versions), or both files are damaged. */
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
    // An unreadable file is ignored; the other one may be readable.
    return "";
  }
}
