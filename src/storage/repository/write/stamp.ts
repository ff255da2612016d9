import { chmod, mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ArchiveError, EXIT } from "../../../core/errors.js";
import type { SiteIdentity } from "../../../core/model/identity.js";
import { syncFolder } from "../../../core/util/files.js";
import { parseJson } from "../../../core/util/json.js";
import { onDisk } from "../../archive/disk-error.js";
import { REPOSITORY_FORMAT, type RepositoryStamp, repositorySchema } from "../format.js";
import { replaceFile } from "../index-files.js";
import { parseIndexName } from "../names.js";
import { STAMP } from "../read/repository-folder.js";

/** Files that a run may leave that was killed while it created the repository. */
const BEFORE_THE_STAMP: ReadonlySet<string> = new Set([
  "lock",
  "lock.json",
  "lock-journal",
  "workspace",
  `${STAMP}.new`,
]);

type StampSite = Pick<SiteIdentity, "root" | "siteId">;

/**
 * The content of `repository.json`; undefined: the folder is empty or does not exist. Throws
 * ArchiveError for another kind of folder or a newer format (exit 2), and for a damaged or lost
 * stamp (6).
 */
export async function readStamp(folder: string): Promise<RepositoryStamp | undefined> {
  const text = await textOf(join(folder, STAMP));
  if (text !== undefined) return parsed(folder, text);
  const names = await namesIn(folder);
  if (names.every((name) => BEFORE_THE_STAMP.has(name))) return undefined;
  if (names.some((name) => parseIndexName(name) !== undefined)) throw lostStamp(folder, "is missing");
  throw new ArchiveError(
    `${folder} is not a backup repository: it holds other files, but no ${STAMP}. Nothing in it was changed. Use an empty or a new folder.`,
    { exitCode: EXIT.usage },
  );
}

/** Creates the folder if necessary, so that a lock can be taken in it. */
export async function makeRepositoryFolder(folder: string): Promise<void> {
  const doing = `creating ${folder}`;
  const made = await onDisk(doing, mkdir(folder, { recursive: true, mode: 0o700 }));
  if (made !== undefined) await onDisk(doing, chmod(folder, 0o700));
}

/** Makes an empty folder a repository. The caller holds its lock. */
export async function writeStamp(folder: string, stamp: RepositoryStamp): Promise<void> {
  const file = join(folder, STAMP);
  await onDisk(`writing ${file}`, replaceFile(file, `${JSON.stringify(stamp, null, 2)}\n`));
  await onDisk(`writing ${folder}`, syncFolder(folder));
}

/** Throws ArchiveError (exit 2) when the repository has another site or another `--name`. */
export function refuseOtherSite(folder: string, stamp: RepositoryStamp, name: string, site: StampSite): void {
  const of = stamp.site;
  const isOther =
    of !== undefined &&
    (of.root !== site.root || (of.siteId !== null && site.siteId !== null && of.siteId !== site.siteId));
  if (!isOther && stamp.name === name) return;
  const owner = of === undefined ? stamp.name : `${stamp.name} (${of.root}, site ${of.siteId ?? "unknown"})`;
  const remedy = isOther
    ? "Use another folder with --to."
    : `Leave out --name or give --name ${stamp.name}, or use another folder with --to.`;
  throw new ArchiveError(
    `The repository ${folder} holds the backups of ${owner}. It cannot also hold those of ${name} (${site.root}, site ${site.siteId ?? "unknown"}). ${remedy}`,
    { exitCode: EXIT.usage },
  );
}

export function newStamp(name: string, madeBy: string, created: Date, { root, siteId }: StampSite): RepositoryStamp {
  return { format: REPOSITORY_FORMAT, name, created: created.toISOString(), madeBy, site: { root, siteId } };
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    return onDisk(`reading ${file}`, Promise.reject(error));
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    return onDisk(`reading the folder ${folder}`, Promise.reject(error));
  }
}

function parsed(folder: string, text: string): RepositoryStamp {
  const json = parseJson(text);
  const format = Number(Reflect.get(Object(json), "format"));
  if (format > REPOSITORY_FORMAT) {
    throw new ArchiveError(
      `The repository ${folder} has format ${format}; this guideferry reads formats up to ${REPOSITORY_FORMAT}. Nothing was changed. Install the newer guideferry.`,
      { exitCode: EXIT.usage },
    );
  }
  const stamp = repositorySchema.safeParse(json);
  if (stamp.success) return stamp.data;
  throw lostStamp(folder, "is damaged: it does not have the content of a repository.json", stamp.error);
}

function lostStamp(folder: string, what: string, cause?: unknown): ArchiveError {
  return new ArchiveError(
    `${join(folder, STAMP)} ${what}. The archives in the folder were not changed. \`guideferry repair ${folder} SITE\` creates the file again.`,
    { cause, exitCode: EXIT.differences },
  );
}
