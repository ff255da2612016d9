import { ArchiveError, type ArchiveFinding } from "../../core/errors.js";
import { printable } from "../../core/util/printable-text.js";

/** One thing that the guard found. */
export interface Finding extends ArchiveFinding {
  readonly code: Code;
  readonly level: "error" | "warning";
}

export interface Named {
  readonly path: string;
}

/**
 * Collects the findings of an inspection. It counts all and keeps the first of each level and code,
 * so that a hostile archive can't fill the memory.
 */
export class FindingList {
  readonly #kept: number;
  readonly #findings: Record<Finding["level"], Finding[]> = { error: [], warning: [] };
  readonly #counts: Record<Finding["level"], number> = { error: 0, warning: 0 };
  readonly #unreadable = new Set<Named | null>();

  constructor(kept: number) {
    this.#kept = kept;
  }

  /** `entry`: null for the archive as a whole. */
  add(code: Code, entry: Named | null, detail: string): void {
    const level = levelOf(code);
    this.#counts[level] += 1;
    if (UNREADABLE.has(code)) this.#unreadable.add(entry);
    const list = this.#findings[level];
    const isFirst = list.every((finding) => finding.code !== code);
    if (isFirst || list.length < this.#kept) list.push(findingOf(code, entry?.path ?? null, detail));
  }

  /** The same list; each detail added through it begins with `words`. */
  prefixed(words: string): FindingList {
    return new PrefixedList(this, words);
  }

  /** Errors first. */
  get all(): readonly Finding[] {
    return [...this.#findings.error, ...this.#findings.warning];
  }

  get left(): number {
    return this.#counts.error + this.#counts.warning - this.all.length;
  }

  get isRefused(): boolean {
    return this.#counts.error > 0;
  }

  /** Is reading the content too expensive or pointless? null: for the archive as a whole. */
  isUnreadable(entry: Named | null): boolean {
    return this.#unreadable.has(entry);
  }
}

class PrefixedList extends FindingList {
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

/** Characters. Details quote names of the archive, which can be of any length. */
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

interface CodeMeaning {
  readonly meaning: string;
  readonly remedy: string;
}

const GET_AGAIN = "Get the archive again from its origin. It was damaged or cut on the way.";
const PACK_AGAIN = "Unpack the archive with a tool you trust, check the files, and pack them again.";
const DISTRUST =
  "Different programs read this archive differently, which is typical of an archive made to deceive. Ask its maker, and pack it again.";
const RAISE = "If you trust the maker of the archive, raise the limit. Otherwise do not use the archive.";
const RENAME = "Rename the entry and pack the archive again.";
const NOTHING = "No action is needed.";

/**
 * Every code of the specification of training modules, section 3.1, rows transport and names.
 * Codes with `E_` refuse the archive; codes with `W_` are reported only.
 */
export const CODES = {
  E_NOT_ZIP: {
    meaning: "the file is not a zip archive; the message names the type that it seems to have",
    remedy: "Give the archive itself. Perhaps a web page or an error message was saved in its place.",
  },
  E_ZIP_TRUNCATED: {
    meaning: "the file begins like a zip archive, but its end is missing or cut",
    remedy: GET_AGAIN,
  },
  E_ZIP_CORRUPT: {
    meaning: "counts, offsets, signatures, extra fields or packed bytes contradict each other",
    remedy: GET_AGAIN,
  },
  E_ZIP_EMPTY: { meaning: "the archive has no entries", remedy: "Pack the files again; the packing failed." },
  E_ZIP_MULTIDISK: {
    meaning: "the file is one part of an archive in several parts",
    remedy: "Join the parts (zip -s 0 parts.zip --out whole.zip) and give the joined file.",
  },
  E_ZIP_ENCRYPTED: {
    meaning: "an entry, or the list of entries, is encrypted",
    remedy: "Pack the archive without a password.",
  },
  E_ZIP_METHOD: {
    meaning: "an entry is packed by a method other than deflate or none (Deflate64, bzip2, lzma, zstd)",
    remedy: "Pack the archive again with plain deflate.",
  },
  E_ZIP_CRC: { meaning: "the content of an entry does not match its checksum", remedy: GET_AGAIN },
  E_ZIP_SIZE_MISMATCH: {
    meaning: "the content of an entry has a size other than the declared one",
    remedy: GET_AGAIN,
  },
  E_ZIP_HEADER_MISMATCH: {
    meaning: "an entry's own header and the list of entries disagree in name, method, sizes or checksum",
    remedy: DISTRUST,
  },
  E_ZIP_AMBIGUOUS: {
    meaning:
      "the archive can be read in two ways: several end records, two counts, or entries that are not in the list",
    remedy: DISTRUST,
  },
  E_ZIP_OVERLAP: { meaning: "entries share bytes, or an entry overlaps the list of entries", remedy: DISTRUST },
  E_ZIP_ENTRY_COUNT: { meaning: "the archive has more entries than the limit", remedy: RAISE },
  E_ZIP_TOTAL_SIZE: { meaning: "the file, an entry or all entries together are larger than the limit", remedy: RAISE },
  E_ZIP_RATIO: { meaning: "the archive or an entry unpacks to far more bytes than it has: a zip bomb", remedy: RAISE },
  E_ZIP_PATH_TRAVERSAL: { meaning: "a name leaves the archive's folder with `..`", remedy: RENAME },
  E_ZIP_PATH_ABSOLUTE: { meaning: "a name starts at the root, a drive or a server", remedy: RENAME },
  E_ZIP_PATH_INVALID: {
    meaning: "a name is empty, too long or not UTF-8, or has a control character, a colon or an empty segment",
    remedy: RENAME,
  },
  E_ZIP_DUPLICATE_NAME: { meaning: "two entries have the same name", remedy: PACK_AGAIN },
  E_ZIP_NAME_COLLISION: {
    meaning:
      "two names are equal on systems that ignore case, Unicode form or dots at the end, or a file is also a folder",
    remedy: RENAME,
  },
  E_ZIP_SYMLINK: { meaning: "an entry is a link", remedy: "Replace the link with the file itself." },
  E_ZIP_SPECIAL_FILE: { meaning: "an entry is a device or a socket", remedy: "Leave it out of the archive." },
  W_ZIP_PREFIX_DATA: {
    meaning: "the file has bytes before the first entry, as self-extracting archives have",
    remedy: NOTHING,
  },
  W_ZIP_TRAILING_DATA: { meaning: "the file has bytes after the end of the archive", remedy: NOTHING },
  W_ZIP_GAP: { meaning: "the archive has unused bytes between its entries", remedy: NOTHING },
  W_ZIP_STORED_DATA_DESCRIPTOR: {
    meaning: "an entry is not packed, but its size follows its content: some Java programs refuse that",
    remedy: NOTHING,
  },
  W_ZIP_BACKSLASH: { meaning: "a name has backslashes; they are read as slashes", remedy: NOTHING },
  W_ZIP_NAME_DOT_SEGMENT: { meaning: "a name has `./`, which is ignored", remedy: NOTHING },
  W_ZIP_NON_UTF8_NAME: {
    meaning: "a name is not marked as UTF-8: it is read as UTF-8 if its bytes are UTF-8, else as code page 437",
    remedy: "If accents in names look wrong, pack the archive again with a tool that writes UTF-8 names.",
  },
  W_ZIP_NAME_NFD: { meaning: "a name is in Unicode form D; it is read in form C", remedy: NOTHING },
  W_ZIP_NAME_RESERVED: {
    meaning: 'Windows cannot write a name (CON, NUL, a dot or space at the end, `<>"|?*`)',
    remedy: "Rename the entry if the files will be used on Windows.",
  },
  W_ZIP_NAME_BIDI: {
    meaning: "a name has invisible characters (writing direction, zero width), so it can look like another name",
    remedy: "Check what the file really is.",
  },
  W_ZIP_MODE_BITS: {
    meaning: "an entry is marked setuid, setgid or as a pipe; it is read as a plain file",
    remedy: NOTHING,
  },
  W_ZIP_MAC_JUNK: {
    meaning: "an entry was created by a file manager (`__MACOSX/`, `.DS_Store`, `Thumbs.db`); it is left out",
    remedy: NOTHING,
  },
  W_ZIP_NESTED_ARCHIVE: { meaning: "an entry is an archive itself; it is never opened", remedy: NOTHING },
} as const satisfies Readonly<Record<string, CodeMeaning>>;

export type Code = keyof typeof CODES;

interface Refused {
  readonly findings: readonly Finding[];
  readonly findingsLeft: number;
}

/** The error of an archive or folder that the guard refuses: errors, warnings, remedies. */
export function refusal(name: string, refused: Refused): ArchiveError {
  return listing(`${name} is refused; nothing in it was used.`, refused);
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
    ...(warnings.length > 0 ? ["Warnings, which alone do not refuse the archive:", ...warnings.map(line)] : []),
    ...remedies.map((remedy) => `What to do: ${remedy}`),
  ];
  return new ArchiveError(lines.join("\n"), { findings });
}

function line({ code, entry, detail }: Finding): string {
  return `  ${code}${entry === null ? "" : ` "${entry}"`}: ${detail}`;
}
