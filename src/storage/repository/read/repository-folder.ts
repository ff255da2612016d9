import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ArchiveError, EXIT, UsageError } from "../../../core/errors.js";
import { objectIn } from "../../../core/util/json.js";
import { diskError } from "../../archive/disk-error.js";
import {
  indexSchema,
  REPOSITORY_FORMAT,
  type RepositoryStamp,
  repositorySchema,
  type SnapshotIndex,
} from "../format.js";
import { markedArchives } from "../index-files.js";
import { type ArchiveName, parseArchiveName, parseIndexName } from "../names.js";

export const STAMP = "repository.json";

/** A message about a file of a repository. */
export interface Remark {
  readonly file: string;
  readonly text: string;
  /** The file is lost or damaged; false: for example files of a killed run. */
  readonly isDamage: boolean;
}

/** The content of a repository's folder, before any archive is opened. */
export interface RepositoryFolder {
  readonly folder: string;
  /** null: `repository.json` is damaged or missing; the name comes from the archives. */
  readonly stamp: RepositoryStamp | null;
  readonly name: string;
  /** All archives and parts, by file name. */
  readonly archives: ReadonlyMap<string, ArchiveName>;
  /** The readable indexes of snapshots and repairs, by snapshot. */
  readonly indexes: ReadonlyMap<string, SnapshotIndex>;
  readonly remarks: readonly Remark[];
}

/** Is the folder a repository, or the rest of one? */
export async function isRepository(folder: string): Promise<boolean> {
  try {
    const names = await readdir(folder);
    return names.includes(STAMP) || names.some((name) => parseIndexName(name) !== undefined);
  } catch {
    // It can't be listed; opening it reports the reason.
    return false;
  }
}

/**
 * Reads names and indexes. Throws ArchiveError (exit 10) when the folder is not a repository,
 * UsageError for a newer format.
 */
export async function readRepositoryFolder(folder: string): Promise<RepositoryFolder> {
  const all = (await namesIn(folder)).toSorted();
  const remarks: Remark[] = [];
  const stamp = readStamp(folder, all, remarks);
  const name = nameOf(all, stamp, remarks);
  if (name === undefined) {
    const remedy = "Check the path: a repository is the folder that `guideferry backup SITE --to FOLDER` names.";
    throw new ArchiveError(`${folder} is not a backup repository: it has no ${STAMP}. ${remedy}`, {
      exitCode: EXIT.notFound,
    });
  }
  const names = all.filter((file) => isOwn(file, name, remarks));
  const removed = await removedArchives(folder, names);
  const archives = new Map(names.filter((file) => !removed.has(file)).flatMap((file) => withName(file)));
  const indexes = new Map<string, SnapshotIndex>();
  for (const file of names) {
    const index = readIndex(folder, file, archives, remarks);
    if (index !== undefined) indexes.set(index.snapshot, index);
  }
  refuseNewer(folder, stamp, names);
  return { folder, stamp: stamp === "newer" ? null : stamp, name, archives, indexes, remarks };
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

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    throw diskError(error, `reading the repository ${folder}`);
  }
}

/** The archives of snapshots that are being removed. */
async function removedArchives(folder: string, names: readonly string[]): Promise<ReadonlySet<string>> {
  const all: string[] = [];
  for (const file of names) all.push(...((await markedArchives(folder, file)) ?? []));
  return new Set(all);
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

/** null: it is missing or damaged; `newer`: it declares a newer format. */
type Stamp = RepositoryStamp | "newer" | null;

function readStamp(folder: string, names: readonly string[], remarks: Remark[]): Stamp {
  if (!names.includes(STAMP)) {
    remarks.push({
      file: STAMP,
      text: `${STAMP} is missing; guideferry takes the name from the archives.`,
      isDamage: true,
    });
    return null;
  }
  const value = readJson(join(folder, STAMP));
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
 * last two renames, or is still running.
 */
function readIndex(
  folder: string,
  file: string,
  archives: ReadonlyMap<string, ArchiveName>,
  remarks: Remark[],
): SnapshotIndex | undefined {
  const isNew = file.endsWith(".new");
  const parsed = parseIndexName(isNew ? file.slice(0, -".new".length) : file);
  if (parsed === undefined) return undefined;
  const value = readJson(join(folder, file));
  const index = indexSchema.safeParse(value);
  const isWhole = index.success && index.data.snapshot === parsed.snapshot && index.data.name === parsed.name;
  if (!isWhole && !isNew) remarks.push({ file, text: `${file} is damaged.`, isDamage: true });
  if (!isWhole) return undefined;
  return isNew && !archives.has(index.data.archives.at(-1)?.name ?? "") ? undefined : index.data;
}

/** undefined: it is not JSON. */
function readJson(path: string): unknown {
  try {
    // Synchronous: an await for each of hundreds of small files takes ten times as long.
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    // A running backup renamed the file after the folder was listed.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw diskError(error, `reading ${path}`);
  }
}

function isNewer(value: unknown): boolean {
  const format = objectIn(value)["format"];
  return typeof format === "number" && Number.isInteger(format) && format > REPOSITORY_FORMAT;
}

/** A newer guideferry writes its format to the stamp and the indexes; a single file is damaged. */
function refuseNewer(folder: string, stamp: Stamp, names: readonly string[]): void {
  if (stamp !== "newer") return;
  const indexes = names.filter((file) => parseIndexName(file) !== undefined);
  if (indexes.length > 0 && !indexes.some((file) => isNewer(readJson(join(folder, file))))) return;
  throw new UsageError(
    `${folder} has a newer format; this guideferry reads formats up to ${REPOSITORY_FORMAT}. Nothing was changed. Install the newer guideferry.`,
  );
}
