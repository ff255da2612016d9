import { ArchiveError, type ArchiveFinding } from "../../core/errors.js";
import { printable } from "../../core/util/printable-text.js";

/** One thing that the guard found. */
export interface Finding extends ArchiveFinding {
  readonly code: Code;
  readonly level: "error" | "warning";
}

/** What findings are about: an entry, as far as it can be named. */
export interface Named {
  readonly path: string;
}

/**
 * Takes the findings of an inspection: all are counted, the first of each level and of each code
 * kept, so that a hostile archive can't fill the memory.
 */
export class FindingList {
  readonly #kept: number;
  readonly #findings: Record<Finding["level"], Finding[]> = { error: [], warning: [] };
  readonly #counts: Record<Finding["level"], number> = { error: 0, warning: 0 };
  readonly #unreadable = new Set<Named | null>();

  constructor(kept: number) {
    this.#kept = kept;
  }

  /** `entry` null: the archive as a whole. */
  add(code: Code, entry: Named | null, detail: string): void {
    const level = levelOf(code);
    this.#counts[level] += 1;
    if (UNREADABLE.has(code)) this.#unreadable.add(entry);
    const list = this.#findings[level];
    const isFirst = list.every((finding) => finding.code !== code);
    if (isFirst || list.length < this.#kept) list.push(findingOf(code, entry?.path ?? null, detail));
  }

  /** The same list, where each detail that is added begins with these words. */
  noting(words: string): FindingList {
    return new NotingList(this, words);
  }

  /** Errors first. */
  get all(): readonly Finding[] {
    return [...this.#findings.error, ...this.#findings.warning];
  }

  /** Findings that were not kept. */
  get left(): number {
    return this.#counts.error + this.#counts.warning - this.all.length;
  }

  get isRefused(): boolean {
    return this.#counts.error > 0;
  }

  /** Would reading the content cost too much, or tell nothing? null: of the archive as a whole. */
  isUnreadable(entry: Named | null): boolean {
    return this.#unreadable.has(entry);
  }
}

class NotingList extends FindingList {
  readonly #list: FindingList;
  readonly #words: string;

  constructor(list: FindingList, words: string) {
    super(0);
    this.#list = list;
    this.#words = words;
  }

  override add(code: Code, entry: Named | null, detail: string): void {
    this.#list.add(code, entry, this.#words + detail);
  }

  override get all(): readonly Finding[] {
    return this.#list.all;
  }

  override get left(): number {
    return this.#list.left;
  }

  override get isRefused(): boolean {
    return this.#list.isRefused;
  }

  override isUnreadable(entry: Named | null): boolean {
    return this.#list.isUnreadable(entry);
  }
}

/** Details quote foreign names. */
const LONGEST_DETAIL = 400;

export function findingOf(code: Code, entry: string | null, detail: string): Finding {
  const { remedy } = CODES[code];
  const name = entry === null ? null : printable(entry);
  return { code, level: levelOf(code), entry: name, detail: printable(detail, LONGEST_DETAIL), remedy };
}

function levelOf(code: Code): Finding["level"] {
  return code.startsWith("W_") ? "warning" : "error";
}

const UNREADABLE: ReadonlySet<Code> = new Set<Code>([
  "E_ZIP_CORRUPT",
  "E_ZIP_ENCRYPTED",
  "E_ZIP_METHOD",
  "E_ZIP_OVERLAP",
  "E_ZIP_RATIO",
  "E_ZIP_TOTAL_SIZE",
  "E_ZIP_ENTRY_COUNT",
]);

/**
 * What a code means, and what a person can do about it. Codes with `E_` refuse the archive, with
 * `W_` they are only told.
 */
interface CodeMeaning {
  readonly meaning: string;
  readonly remedy: string;
}

const GET_AGAIN = "Get the archive anew from where it came from; it was damaged or cut on the way.";
const PACK_ANEW = "Unpack it with a tool you trust, look at what came out, and pack that anew.";
const DISTRUST =
  "Programs would read this archive differently, as one made to deceive is: ask its maker, and pack it anew.";
const RAISE = "If you trust its maker, raise the limit; else leave it alone.";
const RENAME = "Rename the entry and pack the archive anew.";
const NOTHING = "Nothing has to be done.";

/**
 * Every code, in the words of the specification of training modules (section 3.1, rows transport
 * and names).
 */
export const CODES = {
  E_NOT_ZIP: {
    meaning: "no zip archive at all; the message names what the file seems to be",
    remedy: "Give the archive itself; a page or an error message was perhaps saved in its place.",
  },
  E_ZIP_TRUNCATED: { meaning: "begins like a zip archive, its end is missing or cut", remedy: GET_AGAIN },
  E_ZIP_CORRUPT: {
    meaning: "counts, offsets, signatures, extra fields or packed bytes contradict each other",
    remedy: GET_AGAIN,
  },
  E_ZIP_EMPTY: { meaning: "the archive has no entries", remedy: "Pack the files anew; something went wrong there." },
  E_ZIP_MULTIDISK: {
    meaning: "one part of an archive in several parts",
    remedy: "Join the parts (zip -s 0 parts.zip --out whole.zip) and give the whole.",
  },
  E_ZIP_ENCRYPTED: { meaning: "an entry, or the list of entries, is encrypted", remedy: "Pack it without a password." },
  E_ZIP_METHOD: {
    meaning: "packed by another method than deflate or none (Deflate64, bzip2, lzma, zstd)",
    remedy: "Pack it anew with plain deflate.",
  },
  E_ZIP_CRC: { meaning: "the content does not fit its checksum", remedy: GET_AGAIN },
  E_ZIP_SIZE_MISMATCH: { meaning: "the content has another size than declared", remedy: GET_AGAIN },
  E_ZIP_HEADER_MISMATCH: {
    meaning: "an entry's own header and the list of entries disagree in name, method, sizes or checksum",
    remedy: DISTRUST,
  },
  E_ZIP_AMBIGUOUS: {
    meaning: "the archive can be read in two ways: several ends, two counts, entries that the list hides",
    remedy: DISTRUST,
  },
  E_ZIP_OVERLAP: { meaning: "entries share bytes, or one runs into the list of entries", remedy: DISTRUST },
  E_ZIP_ENTRY_COUNT: { meaning: "more entries than the limit", remedy: RAISE },
  E_ZIP_TOTAL_SIZE: { meaning: "the file, an entry or all entries together are larger than the limit", remedy: RAISE },
  E_ZIP_RATIO: { meaning: "unpacks to far more than it is: a zip bomb", remedy: RAISE },
  E_ZIP_PATH_TRAVERSAL: { meaning: "a name climbs out with `..`", remedy: RENAME },
  E_ZIP_PATH_ABSOLUTE: { meaning: "a name starts at the root, a drive or a server", remedy: RENAME },
  E_ZIP_PATH_INVALID: {
    meaning: "a name is empty, too long or not UTF-8, or has a control character, a colon or an empty segment",
    remedy: RENAME,
  },
  E_ZIP_DUPLICATE_NAME: { meaning: "two entries have the same name", remedy: PACK_ANEW },
  E_ZIP_NAME_COLLISION: {
    meaning: "two names are one where case, Unicode form or dots at the end don't count, or a file is a folder as well",
    remedy: RENAME,
  },
  E_ZIP_SYMLINK: { meaning: "a link", remedy: "Put the file itself in the place of the link." },
  E_ZIP_SPECIAL_FILE: { meaning: "a device or a socket", remedy: "Leave it out." },
  W_ZIP_PREFIX_DATA: { meaning: "bytes before the first entry, as self-extracting archives have", remedy: NOTHING },
  W_ZIP_TRAILING_DATA: { meaning: "bytes behind the end", remedy: NOTHING },
  W_ZIP_GAP: { meaning: "unused bytes between the entries", remedy: NOTHING },
  W_ZIP_STORED_DATA_DESCRIPTOR: {
    meaning: "not packed, yet its size stands behind it: some Java programs refuse that",
    remedy: NOTHING,
  },
  W_ZIP_BACKSLASH: { meaning: "a name with back-slashes, read as slashes", remedy: NOTHING },
  W_ZIP_NAME_DOT_SEGMENT: { meaning: "a name with `./`, which is left away", remedy: NOTHING },
  W_ZIP_NON_UTF8_NAME: {
    meaning: "a name that isn't marked as UTF-8: read as UTF-8 where it is, else as code page 437",
    remedy: "If accents in names look wrong, pack it anew with a tool that writes UTF-8 names.",
  },
  W_ZIP_NAME_NFD: { meaning: "a name in Unicode form D, read in form C", remedy: NOTHING },
  W_ZIP_NAME_RESERVED: {
    meaning: "a name that Windows can't write (CON, NUL, a dot or space at the end, `<>\"|?*`)",
    remedy: "Rename it if the files shall go to Windows.",
  },
  W_ZIP_NAME_BIDI: {
    meaning: "a name with marks for the direction of writing or without width: it looks like another",
    remedy: "Look closely at what it really is.",
  },
  W_ZIP_MODE_BITS: { meaning: "marked setuid, setgid or as a pipe; read as a plain file", remedy: NOTHING },
  W_ZIP_MAC_JUNK: {
    meaning: "left by a file manager (`__MACOSX/`, `.DS_Store`, `Thumbs.db`); left out",
    remedy: NOTHING,
  },
  W_ZIP_NESTED_ARCHIVE: { meaning: "an archive inside; it is never opened", remedy: NOTHING },
} as const satisfies Readonly<Record<string, CodeMeaning>>;

export type Code = keyof typeof CODES;

interface Refused {
  readonly findings: readonly Finding[];
  readonly findingsLeft: number;
}

/**
 * The error of an archive or folder that the guard refuses: all errors, then warnings, then what to
 * do.
 */
export function refusal(name: string, refused: Refused): ArchiveError {
  return listing(`${name} is refused; nothing of it was used.`, refused);
}

/** The error of names that the guard would refuse if they were written. */
export function refusalToWrite(name: string, refused: Refused): ArchiveError {
  return listing(`${name} was not written: the guard would refuse to read it.`, refused);
}

function listing(headline: string, { findings, findingsLeft }: Refused): ArchiveError {
  const errors = findings.filter(({ level }) => level === "error");
  const warnings = findings.filter(({ level }) => level === "warning");
  const remedies = [...new Set(errors.map(({ remedy }) => remedy))];
  const lines = [
    `${headline} ${errors.length === 1 ? "The reason" : `The ${errors.length} reasons`}:`,
    ...errors.map(line),
    ...(findingsLeft > 0 ? [`  … and ${findingsLeft} more`] : []),
    ...(warnings.length > 0 ? ["Also seen, no reason by themselves:", ...warnings.map(line)] : []),
    ...remedies.map((remedy) => `What to do: ${remedy}`),
  ];
  return new ArchiveError(lines.join("\n"), { findings });
}

function line({ code, entry, detail }: Finding): string {
  return `  ${code}${entry === null ? "" : ` "${entry}"`}: ${detail}`;
}
