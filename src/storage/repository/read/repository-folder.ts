import { ArchiveError, EXIT, FerryError, UsageError } from "../../../core/errors.js";
import { objectIn, parseJson } from "../../../core/util/json.js";
import { storageAt } from "../files/open-storage.js";
import type { RepositoryStorage, StoredFile } from "../files/repository-storage.js";
import { REPOSITORY_FORMAT, type RepositoryStamp, repositorySchema, type SnapshotIndex } from "../format.js";
import { markedArchives, parseIndex, REMOVED_INDEX } from "../index-files.js";
import { type ArchiveName, parseArchiveName, parseIndexName } from "../names.js";

export const STAMP = "repository.json";

/** A message about a file of a repository. */
export interface Remark {
  readonly file: string;
  readonly text: string;
  /** The file is lost or damaged; false: for example files of a killed run. */
  readonly isDamage: boolean;
}

/** The files of a repository, before any archive is opened. */
export interface RepositoryFolder {
  readonly storage: RepositoryStorage;
  /** Every file, also of other repositories. */
  readonly files: readonly StoredFile[];
  /** null: `repository.json` is damaged or missing; the name comes from the archives. */
  readonly stamp: RepositoryStamp | null;
  readonly name: string;
  /** All archives and parts, by file name. */
  readonly archives: ReadonlyMap<string, ArchiveName>;
  /** The readable indexes of snapshots and repairs, by snapshot. */
  readonly indexes: ReadonlyMap<string, SnapshotIndex>;
  readonly remarks: readonly Remark[];
}

/** Is there a repository, or the rest of one, at this address? */
export async function isRepository(address: string): Promise<boolean> {
  try {
    const files = await (await storageAt(address)).list();
    return files.some(({ name }) => name === STAMP || parseIndexName(name) !== undefined);
  } catch (error) {
    // It can't be listed; opening it reports the reason.
    if (error instanceof FerryError || (error instanceof Error && "code" in error)) return false;
    throw error;
  }
}

/**
 * Reads names and indexes. Throws ArchiveError (exit 10) when there is no repository, UsageError
 * for a newer format.
 */
export async function readRepositoryFolder(storage: RepositoryStorage): Promise<RepositoryFolder> {
  const files = await storage.list();
  const all = files.map(({ name }) => name);
  const texts = await storage.readAll(all.filter((file) => file === STAMP || indexIn(file) !== undefined));
  const remarks: Remark[] = [];
  const stamp = readStamp(texts, all, remarks);
  const name = nameOf(all, stamp, remarks);
  if (name === undefined) {
    const remedy = "Check the path: a repository is the place that `guideferry backup SITE --to REPO` names.";
    throw new ArchiveError(`${storage.address} is not a backup repository: it has no ${STAMP}. ${remedy}`, {
      exitCode: EXIT.notFound,
    });
  }
  const names = all.filter((file) => isOwn(file, name, remarks));
  const marked = await markedArchives(storage, names);
  const removed = new Set([...marked.values()].flat());
  const archives = new Map(names.filter((file) => !removed.has(file)).flatMap((file) => withName(file)));
  const indexes = new Map<string, SnapshotIndex>();
  for (const file of names) {
    if (marked.has(`${file}${REMOVED_INDEX}`)) continue;
    // `….index.json` comes before `….index.json.new`, which counts only without it.
    const index = readIndex(texts, file, archives, remarks);
    if (index !== undefined && !indexes.has(index.snapshot)) indexes.set(index.snapshot, index);
  }
  refuseNewer(storage, stamp, texts);
  return { storage, files, stamp: stamp === "newer" ? null : stamp, name, archives, indexes, remarks };
}

/** Suffix of an index that is not committed yet. */
const NEW = ".new";

/** Of an index, also of one that is not committed yet. */
function indexIn(file: string): ReturnType<typeof parseIndexName> {
  return parseIndexName(file.endsWith(NEW) ? file.slice(0, -NEW.length) : file);
}

/** The name in the stamp, unless no file has it: then the stamp is wrong. undefined: no name. */
function nameOf(names: readonly string[], stamp: Stamp, remarks: Remark[]): string | undefined {
  const files = names.flatMap((file) => parseArchiveName(file)?.name ?? parseIndexName(file)?.name ?? []);
  const often = mostOften(files);
  if (stamp === null || stamp === "newer") return often;
  if (often === undefined || files.includes(stamp.name)) return stamp.name;
  const text = `${STAMP} has the name "${stamp.name}", but the files have the name "${often}".`;
  remarks.push({ file: STAMP, text, isDamage: true });
  return often;
}

function mostOften(names: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
}

/** Two sites may have a snapshot of the same time, so files of another repository are ignored. */
function isOwn(file: string, name: string, remarks: Remark[]): boolean {
  const found = parseArchiveName(file) ?? parseIndexName(file.replace(/\.(?:new|removed)$/, ""));
  if (found === undefined || found.name === name) return true;
  const text = `${file} belongs to another repository (${found.name}; this one is ${name}). guideferry ignores it.`;
  remarks.push({ file, text, isDamage: false });
  return false;
}

function withName(file: string): readonly (readonly [string, ArchiveName])[] {
  const parsed = parseArchiveName(file);
  return parsed === undefined ? [] : [[file, parsed]];
}

/** The content of small files by their names. */
type Texts = ReadonlyMap<string, string>;

/** null: it is missing or damaged; `newer`: it declares a newer format. */
type Stamp = RepositoryStamp | "newer" | null;

function readStamp(texts: Texts, names: readonly string[], remarks: Remark[]): Stamp {
  if (!names.includes(STAMP)) {
    remarks.push({
      file: STAMP,
      text: `${STAMP} is missing; guideferry takes the name from the archives.`,
      isDamage: true,
    });
    return null;
  }
  const value = parseJson(texts.get(STAMP) ?? "");
  const parsed = repositorySchema.safeParse(value);
  if (parsed.success) return parsed.data;
  remarks.push({
    file: STAMP,
    text: `${STAMP} is damaged; guideferry takes the name from the archives.`,
    isDamage: true,
  });
  return isNewer(value) ? "newer" : null;
}

/**
 * An index with the suffix `.new` counts if its main archive exists: its run was killed between the
 * last two steps, or is still running.
 */
function readIndex(
  texts: Texts,
  file: string,
  archives: ReadonlyMap<string, ArchiveName>,
  remarks: Remark[],
): SnapshotIndex | undefined {
  const [isNew, parsed, text] = [file.endsWith(NEW), indexIn(file), texts.get(file)];
  if (parsed === undefined) return undefined;
  // Without a text: a running backup renamed the file after the folder was listed.
  const index = parseIndex(text ?? "");
  const isWhole = index?.snapshot === parsed.snapshot && index.name === parsed.name;
  if (!isWhole && !isNew) remarks.push({ file, text: `${file} is damaged.`, isDamage: true });
  if (!isWhole) return undefined;
  return isNew && !archives.has(index.archives.at(-1)?.name ?? "") ? undefined : index;
}

function isNewer(value: unknown): boolean {
  const format = objectIn(value)["format"];
  return typeof format === "number" && Number.isInteger(format) && format > REPOSITORY_FORMAT;
}

/** A newer guideferry writes its format to the stamp and the indexes; a single file is damaged. */
function refuseNewer({ address }: RepositoryStorage, stamp: Stamp, texts: Texts): void {
  if (stamp !== "newer") return;
  const indexes = [...texts].filter(([file]) => parseIndexName(file) !== undefined);
  if (indexes.length > 0 && !indexes.some(([, text]) => isNewer(parseJson(text)))) return;
  throw new UsageError(
    `${address} has a newer format; this guideferry reads formats up to ${REPOSITORY_FORMAT}. Nothing was changed. Install the newer guideferry.`,
  );
}
