import type { Stats } from "node:fs";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, sep } from "node:path";
import { EXIT, UsageError } from "../../core/errors.js";
import { readAtOnce } from "../../core/util/files.js";
import { diskError } from "../../storage/archive/disk-error.js";
import { looksLikeAddress, packageAddress } from "../fetch-package.js";
import type { FoundPackage } from "../package.js";
import { plain } from "../plain-text.js";
import { type ListEntry, listError, readList } from "./package-list.js";
import { isZipSignature, markerAmong, type PassedOver, PassedOverCount, walk } from "./walk.js";

interface DiscoverOptions {
  readonly signal: AbortSignal;
  /** Called once for each place and reason, with the skipped files and folders. */
  readonly passedOver: (what: PassedOver) => void;
  /** Called often, with the number of files and folders so far. Default: not called. */
  readonly progress?: (looked: number) => void;
}

/**
 * The packages in folders, files, lists and at https addresses, each once, in the order of the
 * places, and in a folder in the order of code points. Checks all places first, so that an error in
 * the last one does not stop a run halfway.
 * @throws UsageError for a missing or unusable place, a list with faults (each with file and line),
 * and where no package is found
 */
export async function* discoverPackages(
  places: readonly string[],
  options: DiscoverOptions,
): AsyncGenerator<FoundPackage> {
  const opened: Place[] = [];
  for (const place of places) opened.push(await openPlace(place));
  const modules = modulesOf(opened);
  const lists = new Set(opened.flatMap((place) => (place.kind === "packages" && place.list ? [place.list] : [])));
  const seen = new Set<string>();
  let looked = 0;
  const count = () => {
    looked += 1;
    options.progress?.(looked);
  };
  for (const place of opened) {
    for await (const { identity, found } of packagesOf(place, { ...options, lists }, count)) {
      options.signal.throwIfAborted();
      if (seen.has(identity)) continue;
      seen.add(identity);
      yield { ...found, module: modules.get(identity) ?? null };
    }
  }
  if (seen.size === 0) throw nothingFound(places);
}

interface PlaceOptions extends DiscoverOptions {
  /** Real paths of the given lists, which are not reported as skipped files of a folder. */
  readonly lists: ReadonlySet<string>;
}

async function* packagesOf(place: Place, { signal, passedOver, lists }: PlaceOptions, looked: () => void) {
  if (place.kind === "packages") {
    for (const known of place.packages) {
      looked();
      yield known;
    }
    return;
  }
  const passed = new PassedOverCount(place.place, (below) => lists.has(join(place.realPath, below)));
  for await (const below of walk(place.realPath, { signal, passedOver: passed, looked }))
    yield fileAt(sourceOf(place.place, below), join(place.realPath, below), null);
  for (const what of passed.all()) passedOver(what);
}

function sourceOf(place: string, below: string): string {
  const source = join(place, below);
  return source.length > 1 && source.endsWith(sep) ? source.slice(0, -1) : source;
}

/** The modules that lists name, for packages that another place may contain too. */
function modulesOf(places: readonly Place[]): ReadonlyMap<string, string> {
  const all = places.flatMap((place): readonly Known[] => (place.kind === "packages" ? place.packages : []));
  const modules = new Map<string, string>();
  for (const { identity, found } of all) {
    if (found.module === null) continue;
    const before = modules.get(identity) ?? found.module;
    if (before !== found.module) {
      throw new UsageError(
        `Two lists name ${plain(found.source)} for different modules, ${plain(before)} and ${plain(found.module)}. Remove it from one of them.`,
      );
    }
    modules.set(identity, found.module);
  }
  return modules;
}

function nothingFound(places: readonly string[]): UsageError {
  return new UsageError(
    `No training package was found in ${places.map(plain).join(", ")}. Packages are files named .zip, .pif or .xml, other files that are zip archives, and folders with an imsmanifest.xml, cmi5.xml, tincan.xml or the course files of AICC.`,
  );
}

/** A package, and its real path or address, which identifies it. */
interface Known {
  readonly identity: string;
  readonly found: FoundPackage;
}

type Place =
  | { readonly kind: "folder"; readonly place: string; readonly realPath: string }
  | {
      readonly kind: "packages";
      readonly packages: readonly Known[] /** The real path of a list. */;
      readonly list?: string;
    };

/**
 * Reads the place if it is a list.
 * @throws UsageError for an unusable place; ArchiveError when the disk fails
 */
async function openPlace(place: string): Promise<Place> {
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
      faults.push(`${entry.where}: ${known}${entry.hint === undefined ? "" : `. ${entry.hint}`}`);
      continue;
    }
    const before = modules.get(known.identity);
    if (entry.module !== null && before !== undefined && before !== entry.module)
      faults.push(`${entry.where}: an earlier line names ${known.found.source} for another module`);
    if (entry.module !== null) modules.set(known.identity, entry.module);
    packages.push(known);
  }
  if (faults.length > 0) throw listError(plain(path), faults);
  return packages;
}

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
      return `${plain(path)} is a folder, but not an unpacked package; give it on the command line to search it`;
  } else if (isList(path)) {
    return `${plain(path)} is a list, which guideferry does not read inside another list; give it on the command line`;
  }
  return fileAt(path, await realpath(path), module);
}

function fromWeb(text: string, module: string | null): Known {
  const { url, source } = packageAddress(text);
  return { identity: url, found: { source, path: null, url, module } };
}

function fileAt(path: string, realPath: string, module: string | null): Known {
  return { identity: realPath, found: { source: path, path, url: null, module } };
}

/** Follows links. A string is why the path can't be used. */
async function look(path: string): Promise<Stats | string> {
  try {
    const stats = await stat(path);
    if (stats.isDirectory() || stats.isFile()) return stats;
    return `${plain(path)} is neither a file nor a folder`;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return `there is no file or folder ${plain(path)}`;
    if (code === "EACCES" || code === "EPERM") return `the system refuses access to ${plain(path)}`;
    if (code === "ELOOP" || code === "ENAMETOOLONG") return `${plain(path)} is too long, or has too many links`;
    throw error;
  }
}

function sentence(clause: string): string {
  return `${clause.slice(0, 1).toUpperCase()}${clause.slice(1)}.`;
}

/** In bytes: 64 MiB hold half a million packages. */
const MAXIMUM_LIST = 64 * 1024 * 1024;
const LIST = /\.(?:txt|csv|tsv|json|ndjson|jsonl)$/i;

function isListName(name: string): boolean {
  return LIST.test(name);
}
