import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, removeEmpty } from "./export-file.js";
import { ExportFolder } from "./export-folder.js";
import { FILE_LIST, MARKER, type MadeFrom, MEDIA_LIST, TIMES_FOLDER } from "./export-marker.js";
import { isTimeId } from "./export-path.js";
import { listIn, readMarker, refuseLink } from "./prepare-folder.js";

/** The folder of a time inside of an export. */
export function timeFolder(path: string, id: string): string {
  return join(path, TIMES_FOLDER, id);
}

/** Throws UsageError where a link stands in the place of a time's folder, which would lead a write elsewhere; what the system says. */
export async function checkTimeFolder(path: string, id: string): Promise<void> {
  await refuseLink(path, TIMES_FOLDER);
  await refuseLink(path, `${TIMES_FOLDER}/${id}`);
}

/** A time that needs no work. */
export interface WholeTime {
  /** The addresses of its own pages, those that compare apart. */
  readonly pages: ReadonlySet<string>;
  /** The addresses of its media, where all times share them. */
  readonly media: ReadonlySet<string>;
  /** The number of its files. */
  readonly files: number;
}

/** A time that an earlier run wrote to its end, from the same, if all of its files are there; else undefined. Throws what the system says. */
export async function wholeTime(
  path: string,
  id: string,
  { by, before }: Pick<MadeFrom, "by" | "before">,
): Promise<WholeTime | undefined> {
  const folder = timeFolder(path, id);
  if (!(await isThere(join(folder, MARKER)))) return undefined;
  const marker = await readMarker(folder);
  const { made } = marker;
  const isSame = marker.complete && made?.by === by && made.before === before && made.failures === 0;
  if (!isSame || !(await isThere(join(folder, MEDIA_LIST))) || !(await isThere(join(folder, FILE_LIST))))
    return undefined;
  const [files, media] = [await listIn(folder, FILE_LIST), await listIn(folder, MEDIA_LIST)];
  if (!(await areThere(folder, files)) || !(await areThere(path, media))) return undefined;
  return { pages: pagesAmong(files), media, files: files.size };
}

/** Of the files of a time, its own pages. */
function pagesAmong(files: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...files].filter((file) => file.endsWith(".html") && !file.startsWith("changes/")));
}

/** Removes what exports wrote of other times; returns the number of files. Throws what the system says. */
export async function removeTimes(path: string, site: string, keep: ReadonlySet<string>): Promise<number> {
  let removed = 0;
  for (const id of await timesIn(path)) {
    if (keep.has(id)) continue;
    await checkTimeFolder(path, id);
    const folder = await ExportFolder.open(timeFolder(path, id), { site, time: id });
    try {
      await folder.remove();
    } finally {
      await folder.close();
    }
    removed += folder.facts.removed;
  }
  if (keep.size === 0) await removeEmpty(join(path, TIMES_FOLDER));
  return removed;
}

/** The ids of times that an export has, finished or not; folders of somebody else are passed over. */
export async function timesIn(path: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of await namesIn(join(path, TIMES_FOLDER)))
    if (isTimeId(name) && (await isThere(join(timeFolder(path, name), MARKER)))) found.push(name);
  return found;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return [];
    throw error;
  }
}

async function areThere(folder: string, files: ReadonlySet<string>): Promise<boolean> {
  for (const file of files) if (!(await isThere(join(folder, file)))) return false;
  return true;
}

async function isThere(file: string): Promise<boolean> {
  try {
    return (await lstat(file)).isFile();
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return false;
    throw error;
  }
}
