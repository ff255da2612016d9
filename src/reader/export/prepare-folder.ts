import { lstat, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { UsageError } from "../../errors.js";
import { FILE_LIST, MARKER, markerSchema, TEMPORARY } from "./export-marker.js";
import { EXPORT_FOLDERS, isExportPath } from "./export-path.js";

/**
 * Makes a folder ready for an export of a site; returns what earlier exports wrote there. Throws UsageError for one that holds anything else, so that nothing of
 * somebody else's is written over or removed, and for links in the place of folders, which would lead a write elsewhere; what the system says.
 */
export async function prepareFolder(path: string, site: string): Promise<Set<string>> {
  const names = await namesIn(path);
  const isNew = names.every((name) => name === TEMPORARY);
  if (!isNew) await checkMarker(path, names, site);
  for (const folder of [TEMPORARY, ...EXPORT_FOLDERS]) await refuseLink(path, folder);
  await rm(join(path, TEMPORARY), { recursive: true, force: true });
  await mkdir(join(path, TEMPORARY), { recursive: true });
  return names.includes(FILE_LIST) ? listIn(path) : new Set();
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
  const marker = markerSchema.safeParse(readJson(await plainFile(path, MARKER)));
  if (!marker.success) {
    throw new UsageError(`${join(path, MARKER)} can't be read, so what is there is left. Name another folder with -o.`);
  }
  if (marker.data.site !== site) {
    throw new UsageError(
      `${path} is an export of ${JSON.stringify(marker.data.site)}, and this is one of ${JSON.stringify(site)}. Name another folder with -o.`,
    );
  }
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

/** Somebody may have changed the list: what can't be of an export is passed over. */
async function listIn(path: string): Promise<Set<string>> {
  return new Set((await plainFile(path, FILE_LIST)).split("\n").filter(isExportPath));
}

async function refuseLink(path: string, folder: string): Promise<void> {
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

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
