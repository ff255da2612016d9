import { lstat, mkdir, readdir, readFile, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { ArchiveError, EXIT, UsageError } from "../../../core/errors.js";
import { parseJson } from "../../../core/util/json.js";
import { describeHolder, type Lock, takeLock } from "../../../storage/workspace/lock.js";

/**
 * Makes a folder ready for an export of a site; returns what earlier exports wrote there. Throws
 * UsageError for one that holds anything else, so that nothing of somebody else's is written over
 * or removed, and for links in the place of folders, which would lead a write elsewhere; what the
 * system says. `compared`: ids of times that pages there will compare with.
 */
export async function prepareFolder(
  path: string,
  site: string,
  compared: readonly string[] = [],
): Promise<Set<string>> {
  const names = await checkFolder(path, site);
  const listed = names.includes(FILE_LIST) ? await listIn(path, FILE_LIST) : new Set<string>();
  for (const folder of [TEMPORARY, ...foldersOf(new Set([...compared, ...comparedAmong(listed)]))])
    await refuseLink(path, folder);
  await rm(join(path, TEMPORARY), { recursive: true, force: true });
  await mkdir(join(path, TEMPORARY), { recursive: true });
  return listed;
}

/**
 * Returns the names of what lies in a folder. Throws UsageError where it is neither new nor empty
 * nor an export of this site; what the system says.
 */
async function checkFolder(path: string, site: string): Promise<readonly string[]> {
  const names = await namesIn(path);
  const isNew = names.every((name) => name === TEMPORARY || name.startsWith(LOCK));
  if (!isNew) await checkMarker(path, names, site);
  return names;
}

/** The ids of the times that some files of an export compare with. */
export function comparedAmong(addresses: Iterable<string>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const address of addresses) {
    const id = comparedIn(address);
    if (id !== undefined) found.add(id);
  }
  return found;
}

async function namesIn(path: string): Promise<readonly string[]> {
  try {
    return await readdir(path);
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return [];
    if (codeOf(cause) === "ENOTDIR") throw new UsageError(`${path} is a file. Name a folder with -o.`, { cause });
    throw cause;
  }
}

async function checkMarker(path: string, names: readonly string[], site: string): Promise<void> {
  if (!names.includes(MARKER)) {
    throw new UsageError(
      `${path} is not empty, and no export of guideferry: nothing is written there. Name a new or an empty folder with -o.`,
    );
  }
  const marker = await readMarker(path);
  if (marker.site !== site) {
    throw new UsageError(
      `${path} is an export of ${JSON.stringify(marker.site)}, and this is one of ${JSON.stringify(site)}. Name another folder with -o.`,
    );
  }
}

/**
 * What an export says of itself. Throws UsageError when that can't be read; what the system says.
 */
export async function readMarker(path: string): Promise<ExportMarker> {
  const marker = markerSchema.safeParse(parseJson(await plainFile(path, MARKER)));
  if (marker.success) return marker.data;
  throw new UsageError(`${join(path, MARKER)} can't be read, so what is there is left. Name another folder with -o.`);
}

async function plainFile(path: string, name: string): Promise<string> {
  if (!(await lstat(join(path, name))).isFile()) {
    throw new UsageError(
      `${join(path, name)} is no plain file, so what is there is left. Name another folder with -o.`,
    );
  }
  return readFile(join(path, name), "utf8");
}

/**
 * The addresses in a list of an export. Somebody may have changed it: what can't be of an export is
 * passed over. Throws UsageError for what is no plain file.
 */
export async function listIn(path: string, name: string): Promise<Set<string>> {
  return new Set((await plainFile(path, name)).split("\n").filter(isExportPath));
}

/** Throws UsageError where a folder of an export is a link or a file; what the system says. */
export async function refuseLink(path: string, folder: string): Promise<void> {
  try {
    if ((await lstat(join(path, folder))).isDirectory()) return;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    throw error;
  }
  throw new UsageError(
    `${join(path, folder)} is no folder but a link or a file, and nothing is written through it. Remove it, or name another folder with -o.`,
  );
}

/**
 * Takes the lock of an export's folder, which is made when it is not there; the system drops it
 * when the process ends. Throws UsageError for a folder of something else, in which nothing is
 * written then, ArchiveError (exit 11) when another export has it, and what the system says.
 */
export async function holdFolder(path: string, site: string): Promise<Lock> {
  await checkFolder(path, site);
  await mkdir(path, { recursive: true });
  const taken = takeLock(join(path, LOCK), "guideferry export-html");
  if ("lock" in taken) return taken.lock;
  throw new ArchiveError(
    `Another export writes ${path}: ${describeHolder(taken.heldBy)}. Nothing was written. Wait until it ends or stop it, then run the same command again.`,
    { exitCode: EXIT.locked },
  );
}

/** Says that a folder is an export, and of what. */
export const MARKER = "guideferry-export.json";
/**
 * The addresses of everything that exports wrote there, one a line: what is not in it is somebody
 * else's and is never removed.
 */
export const FILE_LIST = "guideferry-export.files";
/**
 * The addresses of the media that the pages of a time lead to, which lie where all times share
 * them, one a line.
 */
export const MEDIA_LIST = "guideferry-export.media";
/** Held while an export is on, with a note of who holds it beside it; it stays. */
const LOCK = "guideferry-export.lock";
/** Files that are being written; a killed run leaves them. */
export const TEMPORARY = ".guideferry-temporary";
const markerSchema = z.object({
  format: z.literal("guideferry-export"),
  version: z.literal(1),
  /** The origin of the site. */
  site: z.string(),
  /** The id of the time that was exported last. */
  time: z.string(),
  /** false: the last run did not get to its end. */
  complete: z.boolean(),
  /**
   * Of a time among others: what it was made from. A time that was made from the same, and of which
   * all could be read, is as it would be made again.
   */
  made: z
    .object({
      /** The version of the program. */
      by: z.string(),
      /** The id of the time that it was compared with; null: it was the oldest. */
      before: z.string().nullable(),
      /** The number of items that could not be read. */
      failures: z.number(),
    })
    .optional(),
});
export type ExportMarker = z.infer<typeof markerSchema>;
export type MadeFrom = NonNullable<ExportMarker["made"]>;

/** The folders of pages, those above others first. */
const PAGE_FOLDERS: readonly string[] = [
  ...["category", "guide", "tag", "wiki"],
  ...["item", "team", "user", "info", "wiki", "other"].map((namespace) => `wiki/${namespace}`),
];

const FOLDERS: readonly string[] = ["assets", "media", "search", ...PAGE_FOLDERS];
const KNOWN: ReadonlySet<string> = new Set(["", ...FOLDERS]);
/**
 * No name that a file system takes for another: no dot at an end, no slash, no capital letter, none
 * that is only dots.
 */
const NAME = /^[a-z0-9](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_]{1,10})$/;
const COMPARED = /^changes\/(\d{8}T\d{6}Z)(\.html$|\/)/;

/**
 * The folders of an export, those above others first. `compared`: the ids of times that it is
 * compared with.
 */
export function foldersOf(compared: Iterable<string>): readonly string[] {
  const pairs = [...compared].flatMap((id) => [
    `changes/${id}`,
    ...PAGE_FOLDERS.map((folder) => `changes/${id}/${folder}`),
  ]);
  return [...FOLDERS, ...(pairs.length > 0 ? ["changes"] : []), ...pairs];
}

/** The id of the time that a page of an export compares with; undefined: it compares with none. */
function comparedIn(path: string): string | undefined {
  return COMPARED.exec(path)?.[1];
}

/**
 * May an export have a file of this address? Nothing else is written or removed, whatever a title
 * or a list on a disk says. Devices of Windows (`con.html`) end with their hash, so that none comes
 * up.
 */
export function isExportPath(path: string): boolean {
  if (path.length > LONGEST) return false;
  const [beginning, , end] = COMPARED.exec(path) ?? [];
  if (beginning === undefined) return isPlain(path, KNOWN);
  return end === ".html" || isPlain(path.slice(beginning.length), COMPARABLE);
}

function isPlain(path: string, folders: ReadonlySet<string>): boolean {
  const slash = path.lastIndexOf("/");
  return folders.has(path.slice(0, Math.max(0, slash))) && NAME.test(path.slice(slash + 1));
}

const COMPARABLE: ReadonlySet<string> = new Set(PAGE_FOLDERS);
const LONGEST = 240;

/** Bytes of a file; undefined: no plain file is there. Throws what the system says. */
export async function sizeOf(file: string): Promise<number | undefined> {
  const stats = await lstat(file).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  return stats?.isFile() === true ? stats.size : undefined;
}

/** Is it a plain file with these bytes? Throws what the system says. */
export async function holds(file: string, bytes: Uint8Array): Promise<boolean> {
  return (await sizeOf(file)) === bytes.length && (await readFile(file)).equals(bytes);
}

/** Removes a folder that nothing is in. Throws what the system says. */
export async function removeEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (!NOT_EMPTY.has(codeOf(error))) throw error;
  }
}

const NOT_EMPTY: ReadonlySet<unknown> = new Set(["ENOTEMPTY", "EEXIST", "ENOENT"]);

/** Of an error of the system: `ENOENT`. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
