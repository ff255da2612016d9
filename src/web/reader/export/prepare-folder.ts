import { lstat, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { UsageError } from "../../../core/errors.js";
import { codeOf } from "./export-file.js";
import { type ExportMarker, FILE_LIST, LOCK, MARKER, markerSchema, TEMPORARY } from "./export-marker.js";
import { comparedIn, foldersOf, isExportPath } from "./export-path.js";

/**
 * Makes a folder ready for an export of a site; returns what earlier exports wrote there. Throws UsageError for one that holds anything else, so that nothing of
 * somebody else's is written over or removed, and for links in the place of folders, which would lead a write elsewhere; what the system says. `compared`: ids of times that pages there will compare with.
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

/** Returns the names of what lies in a folder. Throws UsageError where it is neither new nor empty nor an export of this site; what the system says. */
export async function checkFolder(path: string, site: string): Promise<readonly string[]> {
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

/** What an export says of itself. Throws UsageError when that can't be read; what the system says. */
export async function readMarker(path: string): Promise<ExportMarker> {
  const marker = markerSchema.safeParse(readJson(await plainFile(path, MARKER)));
  if (marker.success) return marker.data;
  throw new UsageError(`${join(path, MARKER)} can't be read, so what is there is left. Name another folder with -o.`);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The schema refuses it.
    return undefined;
  }
}

async function plainFile(path: string, name: string): Promise<string> {
  if (!(await lstat(join(path, name))).isFile()) {
    throw new UsageError(
      `${join(path, name)} is no plain file, so what is there is left. Name another folder with -o.`,
    );
  }
  return readFile(join(path, name), "utf8");
}

/** The addresses in a list of an export. Somebody may have changed it: what can't be of an export is passed over. Throws UsageError for what is no plain file. */
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
