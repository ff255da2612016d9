import type { Stats } from "node:fs";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { diskError } from "../../storage/archive/disk-error.js";
import { EXIT, UsageError } from "../../core/errors.js";
import { readAtOnce } from "../../core/util/read-at-once.js";
import { looksLikeAddress, packageAddress } from "../fetch/package-address.js";
import type { FoundPackage } from "../package.js";
import { plain } from "../report/plain.js";
import type { ListEntry } from "./list/list-entry.js";
import { listError, MAXIMUM_LIST, readList } from "./list/read-list.js";
import { isListName } from "./name-kind.js";
import { isZipSignature } from "./signature.js";
import { markerAmong } from "./unpacked-package.js";

/** A package with what tells whether it is another one's twin: its real path, or its address. */
export interface Known {
  readonly identity: string;
  readonly found: FoundPackage;
}

/** What a place turned out to be. */
export type Place =
  | { readonly kind: "folder"; readonly place: string; readonly realPath: string }
  | {
      readonly kind: "packages";
      readonly packages: readonly Known[] /** The real path of a list. */;
      readonly list?: string;
    };

/**
 * Looks what a place is, and reads it where it is a list.
 * @throws UsageError for what can't be used; ArchiveError when the disk fails
 */
export async function openPlace(place: string): Promise<Place> {
  try {
    return await placeAt(place);
  } catch (error) {
    throw diskError(error, `reading ${plain(place)}`);
  }
}

async function placeAt(place: string): Promise<Place> {
  if (looksLikeAddress(place)) return { kind: "packages", packages: [fromWeb(place, null)] };
  const stats = await look(place);
  if (typeof stats === "string")
    throw new UsageError(`${sentence(stats)} Check the path.`, { exitCode: EXIT.notFound });
  const real = await realpath(place);
  if (stats.isDirectory()) return { kind: "folder", place, realPath: real };
  if (!isList(place)) return { kind: "packages", packages: [fileAt(place, real, null)] };
  if (stats.size > MAXIMUM_LIST) {
    throw new UsageError(
      `${plain(place)} is too large for a list of packages: ${stats.size} bytes. Split it, or name it .zip if it is a package.`,
    );
  }
  return { kind: "packages", packages: await fromList(place), list: real };
}

/** By its name, unless it begins as zip archives do. */
function isList(place: string): boolean {
  if (!isListName(place)) return false;
  return !isZipSignature(readAtOnce(place, 3));
}

async function fromList(path: string): Promise<readonly Known[]> {
  const faults: string[] = [];
  const packages: Known[] = [];
  const modules = new Map<string, string>();
  for (const entry of readList(path, await readFile(path))) {
    const known = await resolveEntry(entry, dirname(path));
    if (typeof known === "string") {
      faults.push(`${entry.where}: ${known}`);
      continue;
    }
    const before = modules.get(known.identity);
    if (entry.module !== null && before !== undefined && before !== entry.module)
      faults.push(`${entry.where}: ${known.found.source} is named before for another module`);
    if (entry.module !== null) modules.set(known.identity, entry.module);
    packages.push(known);
  }
  if (faults.length > 0) throw listError(plain(path), faults);
  return packages;
}

/** A string is what is wrong with the entry. */
async function resolveEntry({ text, module }: ListEntry, folder: string): Promise<Known | string> {
  if (looksLikeAddress(text)) {
    try {
      return fromWeb(text, module);
    } catch (error) {
      if (error instanceof UsageError) return error.message;
      throw error;
    }
  }
  const path = isAbsolute(text) ? text : join(folder, text);
  const stats = await look(path);
  if (typeof stats === "string") return stats;
  if (stats.isDirectory()) {
    const entries = await readdir(path, { withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    if (markerAmong(files) === undefined)
      return `${plain(path)} is a folder and no unpacked package; name it on the command line to have it searched`;
  } else if (isList(path)) {
    return `${plain(path)} is a list itself; lists in lists are not followed, so name it on the command line`;
  }
  return fileAt(path, await realpath(path), module);
}

function fromWeb(text: string, module: string | null): Known {
  const { url, source } = packageAddress(text);
  return { identity: url, found: { source, path: null, url, module } };
}

export function fileAt(path: string, realPath: string, module: string | null): Known {
  return { identity: realPath, found: { source: path, path, url: null, module } };
}

/** What lies there, links followed: whoever names a link means what it leads to. A string is why it can't be used. */
async function look(path: string): Promise<Stats | string> {
  try {
    const stats = await stat(path);
    if (stats.isDirectory() || stats.isFile()) return stats;
    return `${plain(path)} is neither a file nor a folder`;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return `there is no file or folder ${plain(path)}`;
    if (code === "EACCES" || code === "EPERM") return `the system refuses access to ${plain(path)}`;
    if (code === "ELOOP" || code === "ENAMETOOLONG") return `${plain(path)} is no path that can be followed`;
    throw error;
  }
}

function sentence(clause: string): string {
  return `${clause.slice(0, 1).toUpperCase()}${clause.slice(1)}.`;
}
