import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { AICC_ENDINGS, endingOf, MANIFEST_NAMES, stemOf } from "../../../transforms/training/package-files.js";
import { turnsInTime } from "../../core/util/concurrency.js";
import { readAtOnce } from "../../core/util/files.js";
import { withCommas } from "../../core/util/printable-text.js";
import { isJunk } from "../../storage/archive/entry-names.js";
import { plain } from "../plain-text.js";

interface WalkOptions {
  readonly signal: AbortSignal;
  readonly passedOver: PassedOverCount;
  readonly looked: () => void;
}

/** A file or folder, by its path below the walked folder; empty: that folder itself. */
interface Waiting {
  readonly below: string;
  readonly isFolder: boolean;
}

/** Files of every workspace, whose archives are copies of guideferry. */
const WORKSPACE = ["workspace.json", "state.sqlite"] as const;

/**
 * The packages in a folder, as paths below it, in the order of code points at each level; an empty
 * path is the folder itself. Follows no link. Memory grows with the number of names on the way
 * down.
 */
export async function* walk(folder: string, options: WalkOptions): AsyncGenerator<string> {
  const { signal, passedOver, looked } = options;
  const waiting: Waiting[] = [{ below: "", isFolder: true }];
  // Files are read synchronously, since that takes a fifth of the time.
  const dueTurn = turnsInTime();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    signal.throwIfAborted();
    looked();
    await dueTurn();
    const { below, isFolder } = next;
    if (!isFolder) {
      if (isPackage(join(folder, below), below, passedOver)) yield below;
      continue;
    }
    const entries = await entriesOf(folder, below, passedOver);
    const files = entries.filter((entry) => entry.isFile());
    if (WORKSPACE.every((name) => files.some((file) => file.name === name))) {
      passedOver.add("workspace", below === "" ? "." : below);
      continue;
    }
    if (markerAmong(files.map(({ name }) => name)) !== undefined) {
      noteArchives(files, below, passedOver);
      yield below;
    } else {
      waiting.push(...remaining(entries, below, passedOver));
    }
  }
}

function isPackage(path: string, below: string, passedOver: PassedOverCount): boolean {
  if (isPackageName(path)) return true;
  try {
    if (!isOtherZipName(path) && beginsAsZip(path)) return true;
    passedOver.add("other", below);
  } catch (error) {
    refused(error, below, passedOver);
  }
  return false;
}

/** Sorted by code points, which is the order of the bytes. */
async function entriesOf(folder: string, below: string, passedOver: PassedOverCount): Promise<readonly Dirent[]> {
  try {
    const place = join(folder, below);
    const entries = await readdir(place, { withFileTypes: true });
    const sorted = entries.map((entry) => ({ entry, bytes: Buffer.from(entry.name) }));
    sorted.sort((one, other) => Buffer.compare(one.bytes, other.bytes));
    return sorted.map(({ entry }) => entry);
  } catch (error) {
    refused(error, below, passedOver);
    return [];
  }
}

function remaining(entries: readonly Dirent[], folder: string, passedOver: PassedOverCount): readonly Waiting[] {
  const waiting: Waiting[] = [];
  for (const entry of entries) {
    const below = join(folder, entry.name);
    const reason = entry.isSymbolicLink() ? "link" : reasonOf(entry);
    if (reason === undefined) waiting.push({ below, isFolder: entry.isDirectory() });
    else passedOver.add(reason, below);
  }
  return waiting.reverse();
}

function reasonOf(entry: Dirent) {
  // Node replaces bytes that are not UTF-8, and can't open such a path.
  if (entry.name.includes("\ufffd")) return "name";
  return (
    reasonToPass(entry.name, entry.isDirectory()) ??
    (entry.isDirectory() || entry.isFile() ? undefined : ("special" as const))
  );
}

function noteArchives(files: readonly Dirent[], folder: string, passedOver: PassedOverCount): void {
  for (const { name } of files)
    if (/\.(?:zip|pif)$/i.test(name) && reasonToPass(name, false) === undefined)
      passedOver.add("inside", join(folder, name));
}

function refused(error: unknown, below: string, passedOver: PassedOverCount): void {
  // Also for a file that was deleted after the folder was read.
  if (!(error instanceof Error && "code" in error && typeof error.code === "string")) throw error;
  passedOver.add("unreadable", below === "" ? "." : below);
}

function beginsAsZip(path: string): boolean {
  return isZipSignature(readAtOnce(path, 3));
}

export function isZipSignature(bytes: Uint8Array): boolean {
  const [p, k, third, fourth] = bytes;
  return p === 0x50 && k === 0x4b && third !== undefined && fourth === third + 1 && SECTIONS.has(third);
}

/** Third bytes: local header (3 4), end of central directory (5 6), spanning marker (7 8). */
const SECTIONS: ReadonlySet<number> = new Set([3, 5, 7]);

const COURSE_FILES: ReadonlySet<string> = new Set(AICC_ENDINGS);

/**
 * The file by which a folder is an unpacked package: a manifest, or one of two AICC course files
 * with the same base name (a single one can be anything). undefined: not a package.
 */
export function markerAmong(names: readonly string[]): string | undefined {
  const stems = new Map<string, string>();
  for (const name of names) {
    if (MANIFEST_NAMES.has(name.toLowerCase())) return name;
    const ending = endingOf(name);
    if (!COURSE_FILES.has(ending)) continue;
    const stem = stemOf(name);
    const before = stems.get(stem);
    if (before !== undefined && before !== ending) return name;
    stems.set(stem, ending);
  }
  return undefined;
}

/**
 * Packages by name: zip archives, PIF of AICC, manifests without an archive, and other archives,
 * which are refused with a reason and not skipped.
 */
const PACKAGE = /\.(?:zip|pif|xml|7z|rar|tar|tgz|tbz2?|txz|gz|bz2|xz|zst|cab|ace|arj|lzh|lha|sit|sitx|iso)$/i;

/** Zip archives that are not packages: office documents, books, programs. */
const OTHER_ZIP =
  /\.(?:docx|docm|dotx|xlsx|xlsm|xltx|xlsb|pptx|pptm|potx|ppsx|vsdx|od[tpsgf]|ott|epub|jar|war|ear|apk|xpi|crx|whl|nupkg|vsix|kmz|omanual|story|sketch|key|pages|numbers)$/i;

const PARTIAL = /\.(?:crdownload|part|partial|download|opdownload|tmp)$/i;

/** Why a file or folder of this name is skipped; undefined: it is not. */
function reasonToPass(name: string, isFolder: boolean): Reason | undefined {
  if (name.startsWith("~$")) return "lock";
  if (isJunk(name)) return "junk";
  if (name.startsWith(".")) return "hidden";
  // Safari's partial downloads are folders; other folders may have any name.
  if (isFolder ? /\.download$/i.test(name) : PARTIAL.test(name)) return "partial";
  return undefined;
}

function isPackageName(name: string): boolean {
  return PACKAGE.test(name);
}

function isOtherZipName(name: string): boolean {
  return OTHER_ZIP.test(name);
}

/** For the message: `3 partial downloads in courses were skipped`. */
const REASONS = {
  link: { one: "link", many: "links", why: "guideferry doesn't follow links" },
  hidden: { one: "hidden file or folder", many: "hidden files or folders", why: "" },
  junk: { one: "metadata file of a file manager", many: "metadata files of file managers", why: "" },
  lock: { one: "lock file of an office program", many: "lock files of office programs", why: "" },
  partial: {
    one: "partial download",
    many: "partial downloads",
    why: "wait until the download ends, or give the file on the command line",
  },
  workspace: { one: "workspace of guideferry", many: "workspaces of guideferry", why: "" },
  special: { one: "pipe, socket or device", many: "pipes, sockets or devices", why: "" },
  other: { one: "other file", many: "other files", why: "not a package by name and first bytes" },
  inside: {
    one: "archive inside an unpacked package",
    many: "archives inside an unpacked package",
    why: "an archive there is content of that package; move it elsewhere if it is a package itself",
  },
  name: { one: "name that is not UTF-8", many: "names that are not UTF-8", why: "rename the file or folder" },
  unreadable: {
    one: "file or folder that cannot be read",
    many: "files or folders that cannot be read",
    why: "correct owner and mode",
  },
} as const;
export type Reason = keyof typeof REASONS;

export interface PassedOver {
  readonly place: string;
  readonly reason: Reason;
  readonly count: number;
  /** The first of them, as paths below the place; printable. */
  readonly names: readonly string[];
  readonly isFailure: boolean;
}

const NAMED = 5;
const FAILURES: ReadonlySet<Reason> = new Set(["name", "unreadable"]);

export class PassedOverCount {
  readonly #place: string;
  readonly #isKnown: (name: string) => boolean;
  readonly #counts = new Map<Reason, { count: number; readonly names: string[] }>();

  /** @param isKnown names that are not reported */
  constructor(place: string, isKnown: (name: string) => boolean = () => false) {
    this.#place = place;
    this.#isKnown = isKnown;
  }

  add(reason: Reason, name: string): void {
    if (this.#isKnown(name)) return;
    const found = this.#counts.get(reason) ?? { count: 0, names: [] };
    this.#counts.set(reason, found);
    found.count += 1;
    if (found.names.length < NAMED) found.names.push(plain(name));
  }

  all(): readonly PassedOver[] {
    return [...this.#counts].map(([reason, { count, names }]) => ({
      place: this.#place,
      reason,
      count,
      names,
      isFailure: FAILURES.has(reason),
    }));
  }
}

/** `2 partial downloads in courses were skipped (wait until …): a.zip.part, b.crdownload.` */
export function describePassedOver({ place, reason, count, names }: PassedOver): string {
  const { one, many, why } = REASONS[reason];
  const left = count - names.length;
  const list = [...names, ...(left > 0 ? [`and ${withCommas(left)} more`] : [])].join(", ");
  const what = count === 1 ? `1 ${one} in ${plain(place)} was` : `${withCommas(count)} ${many} in ${plain(place)} were`;
  return `${what} skipped${why === "" ? "" : ` (${why})`}: ${list}.`;
}
