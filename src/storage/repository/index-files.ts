import { z } from "zod";
import { ArchiveError } from "../../core/errors.js";
import { parseJson } from "../../core/util/json.js";
import { NotRemovableError, type RepositoryStorage } from "./files/repository-storage.js";
import {
  formatSchema,
  indexSchema,
  isUsualIndex,
  type Need,
  REPOSITORY_FORMAT,
  type SnapshotId,
  type SnapshotIndex,
  snapshotIdSchema,
} from "./format.js";
import { indexName, parseArchiveName, parseIndexName } from "./names.js";

/** Suffix of an index until its main archive has its name. */
const NEW_INDEX = ".new";

/** The text of an index file. */
export function indexText(index: SnapshotIndex): string {
  return `${JSON.stringify(index, null, 2)}\n`;
}

const NEEDS_FIELD = '"needs":';
/** The files of other snapshots in an index, as `indexText` writes them. */
const NEEDS = (() => {
  const number = "(?:0|[1-9]\\d{0,14})";
  const need = `\\n {4}\\{\\n {6}"archive": "[\\w.-]+",\\n {6}"contents": ${number},\\n {6}"bytes": ${number}\\n {4}\\}`;
  return new RegExp(`\\n {2}"needs": (\\[(?:${need},)*${need}\\n {2}\\])`);
})();

/**
 * The index in the text of its file; undefined: it is damaged. Each command reads all indexes, and
 * those of a chain of 365 snapshots have 66,000 files of other snapshots, which few commands use.
 * So these are checked in the text, and parsed when they are used.
 */
export function parseIndex(text: string): SnapshotIndex | undefined {
  const found = NEEDS.exec(text);
  const needs = found?.[1];
  const isOnly = text.indexOf(NEEDS_FIELD) === text.lastIndexOf(NEEDS_FIELD);
  if (found === null || needs === undefined || !isOnly) return indexIn(text);
  const end = found.index + found[0].length;
  const index = indexIn(`${text.slice(0, end - needs.length)}[]${text.slice(end)}`);
  return index && withNeeds(index, needs);
}

function indexIn(text: string): SnapshotIndex | undefined {
  const value = parseJson(text);
  if (isUsualIndex(value)) return value as SnapshotIndex;
  const parsed = indexSchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

function withNeeds(index: SnapshotIndex, text: string): SnapshotIndex {
  let needs: readonly Need[] | undefined;
  const get = (): readonly Need[] => {
    needs ??= JSON.parse(text) as readonly Need[];
    return needs;
  };
  return Object.defineProperty(index, "needs", { get, enumerable: true });
}

export interface Recovered {
  /** Snapshots whose last step was completed. */
  readonly ended: readonly SnapshotId[];
  readonly removed: readonly string[];
}

/**
 * Completes or removes what a killed run left; docs/design/repository.md, "The folder", gives the
 * reasons. Call it with the lock of the repository, before anything is read or written. It removes
 * nothing that a snapshot could need, and no archive to `keep`. Throws ArchiveError.
 */
export async function recover(storage: RepositoryStorage, keep = KEEPS_NONE): Promise<Recovered> {
  const files = (await storage.list()).map(({ name }) => name);
  const ended = await completeCommitted(storage, files);
  const ofSnapshots = leftOvers(files, new Set(ended.map(({ file }) => file))).filter((file) => !keep(file));
  const removed = [...(await removeWhereAllowed(storage, ofSnapshots)), ...(await storage.removeLeftovers(keep))];
  return { ended: ended.map(({ snapshot }) => snapshot), removed };
}

const KEEPS_NONE = (_file: string): boolean => false;

/** Readers ignore what stays where nothing may be removed. */
async function removeWhereAllowed(storage: RepositoryStorage, names: readonly string[]): Promise<readonly string[]> {
  try {
    await storage.remove(names);
    return names;
  } catch (error) {
    if (error instanceof NotRemovableError) return [];
    throw error;
  }
}

async function completeCommitted(storage: RepositoryStorage, files: readonly string[]) {
  const ended: { readonly file: string; readonly snapshot: SnapshotId }[] = [];
  for (const file of files) {
    const name = file.endsWith(NEW_INDEX) ? file.slice(0, -NEW_INDEX.length) : "";
    const index = parseIndexName(name);
    if (index === undefined || !hasMain(files, index)) continue;
    await storage.commitIndex(name);
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
 * The indexes and parts of incomplete snapshots. Parts without an index and a main archive belong
 * to a killed run only if no snapshot is later: others lost theirs by damage, and later snapshots
 * may need them.
 */
function leftOvers(files: readonly string[], ended: ReadonlySet<string>): readonly string[] {
  const last = files.reduce((latest, file) => {
    const snapshot = parseIndexName(file)?.snapshot ?? "";
    return snapshot > latest ? snapshot : latest;
  }, "");
  return files.filter((file) => {
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
export async function removeSnapshots(storage: RepositoryStorage, snapshots: readonly SnapshotIndex[]): Promise<void> {
  const youngestFirst = snapshots.toSorted((one, other) => (one.snapshot < other.snapshot ? 1 : -1));
  for (const { name, snapshot } of youngestFirst) await storage.markRemoved(indexName(name, snapshot));
  await finishRemovals(storage);
}

/** Removes the archives of marked snapshots; returns their names. Call it with the lease. */
export async function finishRemovals(storage: RepositoryStorage): Promise<readonly string[]> {
  const removed: string[] = [];
  const names = (await storage.list()).map(({ name }) => name);
  for (const [mark, archives] of await markedArchives(storage, names)) {
    // The index is there if the run was killed while it marked the snapshot.
    await storage.markRemoved(mark.slice(0, -REMOVED_INDEX.length));
    // The removal of the archives is durable before their mark is removed.
    await storage.remove(archives);
    await storage.remove([mark]);
    removed.push(...archives, mark);
  }
  return removed;
}

/**
 * The archives of each mark, the main one last. Archives of other snapshots are ignored.
 *
 * @param names files of the repository
 */
export async function markedArchives(
  storage: RepositoryStorage,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const marks = names.filter((name) => name.endsWith(REMOVED_INDEX));
  const texts = await storage.readAll(marks);
  return new Map(
    marks.flatMap((mark) => {
      const marked = parseIndexName(mark.slice(0, -REMOVED_INDEX.length));
      if (marked === undefined) return [];
      const all = indexIn(texts.get(mark) ?? "")?.archives.map(({ name }) => name) ?? [];
      const isOwn = (name: string): boolean => {
        const archive = parseArchiveName(name);
        return archive?.snapshot === marked.snapshot && archive.name === marked.name;
      };
      return [[mark, all.filter(isOwn)] as const];
    }),
  );
}

/** Two files with the same content, since a disk may lose one of the youngest files. */
const HEADS = ["head.json", "head.copy.json"] as const;
export const [HEAD] = HEADS;

const headSchema = z.object({ format: formatSchema, snapshot: snapshotIdSchema });

/**
 * Records the youngest snapshot, so that its loss is noticed even if no other file refers to it. It
 * never records an older one than before, as `prune --compact` rewrites old ones. Throws
 * ArchiveError for the disk.
 */
export async function writeHead(storage: RepositoryStorage, snapshot: SnapshotId): Promise<void> {
  if (snapshot < ((await readHead(storage)) ?? "")) return;
  const text = `${JSON.stringify({ format: REPOSITORY_FORMAT, snapshot })}\n`;
  for (const name of HEADS) await storage.replace(name, text);
}

/** The recorded youngest snapshot; undefined: none (early versions), or both files are damaged. */
export async function readHead(storage: RepositoryStorage): Promise<SnapshotId | undefined> {
  const noted: SnapshotId[] = [];
  for (const name of HEADS) {
    const parsed = headSchema.safeParse(parseJson(await textOf(storage, name)));
    if (parsed.success) noted.push(parsed.data.snapshot);
  }
  return noted.toSorted().at(-1);
}

async function textOf(storage: RepositoryStorage, name: string): Promise<string> {
  try {
    return (await storage.readAll([name])).get(name) ?? "";
  } catch (error) {
    // An unreadable file is ignored; the other one may be readable.
    if (error instanceof ArchiveError) return "";
    throw error;
  }
}
