import { ArchiveError, EXIT } from "../../../core/errors.js";
import type { SiteIdentity } from "../../../core/model/identity.js";
import { parseJson } from "../../../core/util/json.js";
import type { RepositoryStorage } from "../files/repository-storage.js";
import { REPOSITORY_FORMAT, type RepositoryStamp, repositorySchema } from "../format.js";
import { parseIndexName } from "../names.js";
import { STAMP } from "../read/repository-folder.js";

type StampSite = Pick<SiteIdentity, "root" | "siteId">;

/**
 * The content of `repository.json`; undefined: the place is empty or does not exist. Throws
 * ArchiveError for another kind of folder or a newer format (exit 2), and for a damaged or lost
 * stamp (6).
 */
export async function readStamp(storage: RepositoryStorage): Promise<RepositoryStamp | undefined> {
  const text = (await storage.readAll([STAMP])).get(STAMP);
  if (text !== undefined) return parsed(storage, text);
  const names = await namesIn(storage);
  // The workspace may be there after a run that was killed while it created the repository.
  if (names.every((name) => name === "workspace")) return undefined;
  if (names.some((name) => parseIndexName(name) !== undefined)) throw lostStamp(storage, "is missing");
  throw new ArchiveError(
    `${storage.address} is not a backup repository: it holds other files, but no ${STAMP}. Nothing in it was changed. Use an empty or a new folder.`,
    { exitCode: EXIT.usage },
  );
}

/** Makes an empty place a repository. The caller holds its lease. */
export async function writeStamp(storage: RepositoryStorage, stamp: RepositoryStamp): Promise<void> {
  await storage.replace(STAMP, `${JSON.stringify(stamp, null, 2)}\n`);
}

/**
 * Gives the stamp of an older version the present format, so that an older guideferry refuses the
 * repository. Call it before the first snapshot in this format. A lost or damaged stamp stays so.
 */
export async function raiseFormat(storage: RepositoryStorage): Promise<void> {
  const text = (await storage.readAll([STAMP])).get(STAMP);
  const stamp = repositorySchema.safeParse(parseJson(text ?? ""));
  if (!stamp.success || stamp.data.format === REPOSITORY_FORMAT) return;
  await writeStamp(storage, { ...stamp.data, format: REPOSITORY_FORMAT });
}

/** Throws ArchiveError (exit 2) when the repository has another site or another `--name`. */
export function refuseOtherSite(
  { address }: RepositoryStorage,
  stamp: RepositoryStamp,
  name: string,
  site: StampSite,
): void {
  const of = stamp.site;
  const isOther = isOtherSite(stamp, site);
  if (!isOther && stamp.name === name) return;
  const owner = of === undefined ? stamp.name : `${stamp.name} (${of.root}, site ${of.siteId ?? "unknown"})`;
  const remedy = isOther
    ? "Use another folder with --to."
    : `Leave out --name or give --name ${stamp.name}, or use another folder with --to.`;
  throw new ArchiveError(
    `The repository ${address} holds the backups of ${owner}. It cannot also hold those of ${name} (${site.root}, site ${site.siteId ?? "unknown"}). ${remedy}`,
    { exitCode: EXIT.usage },
  );
}

/** false also where the stamp does not know its site. */
export function isOtherSite({ site: of }: RepositoryStamp, site: StampSite): boolean {
  if (of === undefined) return false;
  return of.root !== site.root || (of.siteId !== null && site.siteId !== null && of.siteId !== site.siteId);
}

export function newStamp(name: string, madeBy: string, created: Date, { root, siteId }: StampSite): RepositoryStamp {
  return { format: REPOSITORY_FORMAT, name, created: created.toISOString(), madeBy, site: { root, siteId } };
}

async function namesIn(storage: RepositoryStorage): Promise<readonly string[]> {
  try {
    return (await storage.list()).map(({ name }) => name);
  } catch (error) {
    if (error instanceof ArchiveError && error.exitCode === EXIT.notFound) return [];
    throw error;
  }
}

function parsed(storage: RepositoryStorage, text: string): RepositoryStamp {
  const json = parseJson(text);
  const format = Number(Reflect.get(Object(json), "format"));
  if (format > REPOSITORY_FORMAT) {
    throw new ArchiveError(
      `The repository ${storage.address} has format ${format}; this guideferry reads formats up to ${REPOSITORY_FORMAT}. Nothing was changed. Install the newer guideferry.`,
      { exitCode: EXIT.usage },
    );
  }
  const stamp = repositorySchema.safeParse(json);
  if (stamp.success) return stamp.data;
  throw lostStamp(storage, "is damaged: it does not have the content of a repository.json", stamp.error);
}

function lostStamp(storage: RepositoryStorage, what: string, cause?: unknown): ArchiveError {
  return new ArchiveError(
    `${storage.at(STAMP)} ${what}. The archives in the folder were not changed. \`guideferry repair ${storage.address} SITE\` creates the file again.`,
    { cause, exitCode: EXIT.differences },
  );
}
