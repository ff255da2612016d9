import type { Entry } from "yauzl";
import { getFileNameLowLevel } from "./archive-file.js";
import type { Code, FindingList, Named } from "./findings.js";
import type { ArchiveLimits } from "./limits.js";

interface CheckedPath {
  /**
   * Slashes, no `./`, Unicode NFC; without the slash at a folder's end. Only usable when no fault
   * is an error.
   */
  readonly path: string;
  /** The path before NFC. */
  readonly spelling: string;
  readonly faults: readonly { readonly code: Code; readonly detail: string }[];
}

/** Checks and normalises the name of an archive's entry, or of a file below a folder. */
export function checkPath(name: string, limits: Pick<ArchiveLimits, "pathBytes" | "segmentBytes">): CheckedPath {
  if (isPlain(name) && name.length <= Math.min(limits.pathBytes, limits.segmentBytes) && !RESERVED_SEGMENT.test(name))
    return { path: name, spelling: name, faults: [] };
  const faults: { code: Code; detail: string }[] = [];
  const slashed = name.replaceAll("\\", "/");
  if (slashed !== name) faults.push({ code: "W_ZIP_BACKSLASH", detail: "its name has backslashes" });
  const segments = slashed.replace(/\/$/, "").split("/");
  const kept = segments.filter((segment) => segment !== "." || segments.length === 1);
  if (kept.length !== segments.length) faults.push({ code: "W_ZIP_NAME_DOT_SEGMENT", detail: "its name has `./`" });
  const spelling = kept.join("/");
  const path = spelling.normalize("NFC");
  if (path !== spelling) faults.push({ code: "W_ZIP_NAME_NFD", detail: "its name is in Unicode form D" });
  const parts = path === spelling ? kept : path.split("/");
  if (slashed === "/") faults.push({ code: "E_ZIP_PATH_ABSOLUTE", detail: "its name is the root" });
  for (const { code, detail, isWrong } of RULES) if (isWrong(path, limits, parts)) faults.push({ code, detail });
  return { path, spelling, faults };
}

/**
 * Is a path made of ASCII letters, digits, `_`, `%` and `-`, as guideferry writes most of them? Of
 * all rules, only those about length and reserved names can refuse it.
 */
function isPlain(path: string): boolean {
  return /^(?:[\w%-]+\/)*[\w%-]+(?:\.\w+)?$/.test(path);
}

interface PathRule {
  readonly code: Code;
  readonly detail: string;
  readonly isWrong: (
    path: string,
    limits: Pick<ArchiveLimits, "pathBytes" | "segmentBytes">,
    segments: readonly string[],
  ) => boolean;
}

const RULES: readonly PathRule[] = [
  {
    code: "E_ZIP_PATH_ABSOLUTE",
    detail: "its name starts at a root, a drive or a server",
    isWrong: (path) => /^(?:\/|[A-Za-z]:)/.test(path),
  },
  {
    code: "E_ZIP_PATH_TRAVERSAL",
    detail: "its name leaves the archive's folder with `..`",
    isWrong: (_path, _limits, segments) => segments.some((segment) => /^\.\. *$/.test(segment)),
  },
  { code: "E_ZIP_PATH_INVALID", detail: "its name is empty", isWrong: (path) => path === "" || path === "." },
  {
    code: "E_ZIP_PATH_INVALID",
    detail: "its name has an empty segment",
    isWrong: (path) => /[^/]\/(?:\/|$)/.test(path),
  },
  {
    code: "E_ZIP_PATH_INVALID",
    detail: "its name has a control character",
    isWrong: (path) => /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(path),
  },
  {
    code: "E_ZIP_PATH_INVALID",
    detail: "its name has a colon",
    isWrong: (path) => path.includes(":") && !/^[A-Za-z]:\/[^:]*$/.test(path),
  },
  {
    code: "E_ZIP_PATH_INVALID",
    detail: "its name is too long",
    isWrong: (path, { pathBytes }) => Buffer.byteLength(path) > pathBytes,
  },
  {
    code: "E_ZIP_PATH_INVALID",
    detail: "a part of its name is too long",
    isWrong: (_path, { segmentBytes }, segments) =>
      segments.some((segment) => Buffer.byteLength(segment) > segmentBytes),
  },
  {
    code: "W_ZIP_NAME_RESERVED",
    detail: "Windows cannot write its name",
    isWrong: (_path, _limits, segments) => segments.some((segment) => RESERVED.test(segment)),
  },
  {
    code: "W_ZIP_NAME_BIDI",
    detail: "its name has invisible characters",
    isWrong: (path) => /\p{Cf}/u.test(path),
  },
];

/** Microsoft, "Naming files, paths, and namespaces". Another rule refuses `..`. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)|[<>"|?*]|[^. ][. ]+$|^ +$|^\.{3,}$/i;

/** A segment of a plain path with a name that Windows reserves. */
const RESERVED_SEGMENT = /(?:^|\/)(?:con|prn|aux|nul|com\d|lpt\d)(?:[./]|$)/i;

interface NamedEntry extends Named {
  /** The path before NFC. */
  readonly spelling: string;
  readonly isFolder: boolean;
}

/**
 * Finds entries that would overwrite each other: names that are equal, or that differ only in case,
 * Unicode form, or dots and spaces at the end of a segment; and files that are also folders.
 */
export function checkNames(entries: readonly NamedEntry[], findings: FindingList): void {
  const seen = new Map<string, NamedEntry>();
  for (const entry of entries) {
    const fold = foldOf(entry.path);
    const other = seen.get(fold);
    if (other === undefined) seen.set(fold, entry);
    else if (other.spelling === entry.spelling && other.isFolder === entry.isFolder) {
      findings.add("E_ZIP_DUPLICATE_NAME", entry, "another entry has the same name");
    } else findings.add("E_ZIP_NAME_COLLISION", entry, `on some systems its name is the same as "${other.path}"`);
  }
  for (const entry of filesUsedAsFolders(seen)) {
    findings.add("E_ZIP_NAME_COLLISION", entry, "it is a file, but other entries use its name as a folder");
  }
}

/**
 * Notices names that `checkNames` may refuse. It keeps a hash of 8 bytes of each name, and each
 * folder once.
 */
export class NameHashes {
  #hashes = new Float64Array(1024);
  #count = 0;
  readonly #folders = new Set<string>();

  /** @param path of a file, as in `Files.paths` */
  add(path: string): void {
    const fold = foldOf(path);
    this.#keep(fold);
    for (let end = fold.lastIndexOf("/"); end > 0; end = fold.lastIndexOf("/", end - 1)) {
      const folder = fold.slice(0, end);
      if (this.#folders.has(folder)) return;
      this.#folders.add(folder);
      this.#keep(folder);
    }
  }

  /** false: `checkNames` refuses nothing. true: it may, so the names have to be compared. */
  get mayCollide(): boolean {
    const hashes = this.#hashes.subarray(0, this.#count).sort();
    return hashes.some((hash, at) => at > 0 && hash === hashes[at - 1]);
  }

  #keep(text: string): void {
    if (this.#count === this.#hashes.length) {
      const more = new Float64Array(2 * this.#count);
      more.set(this.#hashes);
      this.#hashes = more;
    }
    this.#hashes[this.#count] = hashOf(text);
    this.#count += 1;
  }
}

/**
 * 53 bits of two multiplicative hashes. Two names with the same hash only cost a comparison of all
 * names.
 */
function hashOf(text: string): number {
  let [low, high] = [0x811c_9dc5, 0x2545_f491];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x0100_0193);
    high = Math.imul(((high << 7) | (high >>> 25)) ^ unit, 0x9e37_79b1);
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}

/** In sorted order the names below a folder are adjacent, so each file needs one look-up. */
function filesUsedAsFolders(seen: ReadonlyMap<string, NamedEntry>): readonly NamedEntry[] {
  const ordered = [...seen.keys()].sort();
  return [...seen].flatMap(([fold, entry]) => {
    if (entry.isFolder) return [];
    const below = `${fold}/`;
    return ordered[firstFrom(below, ordered)]?.startsWith(below) === true ? [entry] : [];
  });
}

/** The index of the first text in an ordered list that is not less than `text`. */
function firstFrom(text: string, ordered: readonly string[]): number {
  let from = 0;
  let to = ordered.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((ordered[middle] ?? "") < text) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Upper case first: it also unites what lower case alone does not (ß and SS, three sigmas). */
function foldOf(path: string): string {
  if (isPlain(path)) return path.toLowerCase();
  const folded = path.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
  return folded.replace(/[. ]+(?=\/|$)/g, "");
}

const UTF8_FLAG = 0x800;

interface ReadName {
  readonly name: string;
  readonly faults: readonly { readonly code: Code; readonly detail: string }[];
}

/**
 * The name of an entry: UTF-8 if bit 11 is set (APPNOTE 4.4.4), else the Unicode path field
 * (4.6.9), else UTF-8 if the bytes are valid UTF-8 (many tools do not set the bit), else code page
 * 437.
 */
export function readName(entry: Entry): ReadName {
  const { fileNameRaw: raw, generalPurposeBitFlag: flags, extraFields } = entry;
  const isPlain = raw.every((byte) => byte < 0x80);
  const isMarked = (flags & UTF8_FLAG) !== 0;
  const own = isPlain ? raw.toString("latin1") : (utf8(raw) ?? (isMarked ? undefined : codePage437(raw)));
  if (own === undefined) {
    const detail = "its name is marked as UTF-8, but it is not UTF-8";
    return { name: raw.toString("utf8"), faults: [{ code: "E_ZIP_PATH_INVALID", detail }] };
  }
  const field = getFileNameLowLevel(flags, raw, extraFields, true);
  const hasField = field !== getFileNameLowLevel(flags, raw, [], true);
  if (isMarked && hasField && field !== own) {
    const detail = `its Unicode path field has the name "${field}"`;
    return { name: own, faults: [{ code: "E_ZIP_HEADER_MISMATCH", detail }] };
  }
  if (!hasField && (isPlain || isMarked)) return { name: own, faults: [] };
  const detail = hasField ? "its name is in a field that some programs do not read" : "its name is not marked as UTF-8";
  return { name: hasField ? field : own, faults: [{ code: "W_ZIP_NON_UTF8_NAME", detail }] };
}

function codePage437(raw: Buffer): string {
  return getFileNameLowLevel(0, raw, [], true);
}

function utf8(raw: Buffer): string | undefined {
  const text = raw.toString("utf8");
  return Buffer.from(text, "utf8").equals(raw) ? text : undefined;
}

/** Files that macOS and Windows create in folders and archives. */
export function isJunk(path: string): boolean {
  return JUNK.test(path);
}

const JUNK = /(?:^|\/)(?:__MACOSX|\._[^/]*|\.DS_Store|Thumbs\.db|desktop\.ini)(?:\/|$)/i;

export function isArchiveName(path: string): boolean {
  return /\.(?:zip|omanual|7z|rar|tar|tgz|gz|bz2|xz|zst|jar|cab|iso)$/i.test(path);
}
