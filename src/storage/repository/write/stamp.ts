import { chmod, mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ArchiveError, EXIT } from "../../../core/errors.js";
import type { SiteIdentity } from "../../../core/model/identity.js";
import { syncFolder, writeWhole } from "../../../core/util/files.js";
import { parseJson } from "../../../core/util/json.js";
import { onDisk } from "../../archive/disk-error.js";
import { REPOSITORY_FORMAT, type RepositoryStamp, repositorySchema } from "../format.js";
import { parseIndexName } from "../names.js";
import { STAMP } from "../read/repository-folder.js";

/**
 * What may lie in a folder that becomes a repository: what a run that was killed while it made one
 * leaves.
 */
const BEFORE_THE_STAMP: ReadonlySet<string> = new Set([
  "lock",
  "lock.json",
  "lock-journal",
  "workspace",
  `${STAMP}.new`,
]);

/** The site of a repository, as far as it tells. */
type StampSite = Pick<SiteIdentity, "root" | "siteId">;

/**
 * What `repository.json` says; undefined: there is none, and the folder is empty or not there.
 * Throws ArchiveError for a folder that is something else (exit 2), a newer format (2) and a
 * damaged or lost stamp (6).
 */
export async function readStamp(folder: string): Promise<RepositoryStamp | undefined> {
  const text = await textOf(join(folder, STAMP));
  if (text !== undefined) return parsed(folder, text);
  const names = await namesIn(folder);
  if (names.every((name) => BEFORE_THE_STAMP.has(name))) return undefined;
  if (names.some((name) => parseIndexName(name) !== undefined)) throw lostStamp(folder, "is missing");
  throw new ArchiveError(
    `${folder} is no backup repository: it holds other files, and no ${STAMP}. Nothing in it was touched. Use an empty or a new folder.`,
    { exitCode: EXIT.usage },
  );
}

/** Makes the folder, which may be there, so that a lock can be taken in it. */
export async function makeRepositoryFolder(folder: string): Promise<void> {
  const doing = `making ${folder}`;
  const made = await onDisk(doing, mkdir(folder, { recursive: true, mode: 0o700 }));
  if (made !== undefined) await onDisk(doing, chmod(folder, 0o700));
}

/** Makes an empty folder a repository; whoever calls holds its lock. */
export async function writeStamp(folder: string, stamp: RepositoryStamp): Promise<void> {
  const file = join(folder, STAMP);
  await onDisk(`writing ${file}`, writeWhole(file, `${JSON.stringify(stamp, null, 2)}\n`));
  await onDisk(`writing ${folder}`, syncFolder(folder));
}

/**
 * Throws ArchiveError (exit 2) when the repository is of another site, or was made with another
 * `--name`.
 */
export function refuseOtherSite(folder: string, stamp: RepositoryStamp, name: string, site: StampSite): void {
  const of = stamp.site;
  const isOther =
    of !== undefined &&
    (of.root !== site.root || (of.siteId !== null && site.siteId !== null && of.siteId !== site.siteId));
  if (!isOther && stamp.name === name) return;
  const theirs = of === undefined ? stamp.name : `${stamp.name} (${of.root}, site ${of.siteId ?? "unknown"})`;
  const remedy = isOther
    ? "Use another folder with --to."
    : `Leave out --name or give --name ${stamp.name}, or use another folder with --to.`;
  throw new ArchiveError(
    `The repository ${folder} holds the backups of ${theirs} and can't take those of ${name} (${site.root}, site ${site.siteId ?? "unknown"}). ${remedy}`,
    { exitCode: EXIT.usage },
  );
}

/** The stamp of a new repository. */
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
    return onDisk(`looking at ${folder}`, Promise.reject(error));
  }
}

function parsed(folder: string, text: string): RepositoryStamp {
  const json = parseJson(text);
  const format = Number(Reflect.get(Object(json), "format"));
  if (format > REPOSITORY_FORMAT) {
    throw new ArchiveError(
      `The repository ${folder} has format ${format}; this guideferry reads up to ${REPOSITORY_FORMAT}. Nothing was changed. Install the newer guideferry.`,
      { exitCode: EXIT.usage },
    );
  }
  const stamp = repositorySchema.safeParse(json);
  if (stamp.success) return stamp.data;
  throw lostStamp(folder, "is damaged: it is not the stamp of a repository", stamp.error);
}

function lostStamp(folder: string, what: string, cause?: unknown): ArchiveError {
  return new ArchiveError(
    `${join(folder, STAMP)} ${what}. The archives beside it are not touched. \`guideferry repair ${folder} SITE\` makes it again.`,
    { cause, exitCode: EXIT.differences },
  );
}
