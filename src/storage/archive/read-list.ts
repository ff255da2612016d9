import type { Entry } from "yauzl";
import { messageOf } from "../../core/errors.js";
import { ZipFile } from "./archive-file.js";
import { isDiskFailure } from "./disk-error.js";
import { checkPath, isArchiveName, isJunk, readName } from "./entry-names.js";
import type { EntryList } from "./find-list.js";
import type { Code, FindingList } from "./findings.js";
import type { ArchiveLimits } from "./limits.js";

const HEADER_LENGTH = 46;

export interface ListedEntry {
  readonly path: string;
  /** The path before Unicode NFC. */
  readonly spelling: string;
  /**
   * For the comparison with the local header: one character for each byte, to save memory.
   * undefined: too long to be kept.
   */
  readonly rawName: string | undefined;
  readonly isFolder: boolean;
  /** Created by a file manager: checked, but never shown. */
  readonly isJunk: boolean;
  readonly method: number;
  readonly flags: number;
  readonly crc32: number;
  readonly packedSize: number;
  readonly size: number;
  readonly at: number;
}

/** Was the list read to its end? If not, the reason. */
export type ListEnd = "whole" | "damaged" | "encrypted";

interface ReadList {
  readonly entries: readonly ListedEntry[];
  readonly ended: ListEnd;
}

/** Reads the list and checks each entry. An entry that yauzl can't read ends it with a finding. */
export async function readList(list: EntryList, limits: ArchiveLimits, findings: FindingList): Promise<ReadList> {
  const entries: ListedEntry[] = [];
  const listed = listedEntries(list, limits, findings);
  let step = await listed.next();
  for (; step.done !== true; step = await listed.next()) entries.push(step.value);
  return { entries, ended: step.value };
}

/** The same, one entry at a time, in the list's order. Returns how the list ended. */
export async function* listedEntries(
  list: EntryList,
  limits: ArchiveLimits,
  findings: FindingList,
): AsyncGenerator<ListedEntry, ListEnd> {
  const { file, at, size, entryCount } = list;
  const zip = new ZipFile(file, at, file.size, entryCount, "", false, true, false, false);
  let position = at;
  let count = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      count += 1;
      const listed = readEntry(entry, limits, findings);
      await checkDisk(list, position, listed, findings);
      yield listed;
      position += HEADER_LENGTH + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
    }
  } catch (error) {
    if (isDiskFailure(error)) throw error;
    const code = codeOf(error);
    findings.add(code, null, `entry ${count + 1} of ${entryCount} cannot be read: ${messageOf(error)}`);
    await reportUnread(file, position, findings);
    return code === "E_ZIP_ENCRYPTED" ? "encrypted" : "damaged";
  }
  if (position !== at + size) {
    const detail = `its ${entryCount} entries have ${position - at} bytes in the list, which has ${size} bytes`;
    findings.add("E_ZIP_CORRUPT", null, detail);
  }
  return "whole";
}

function readEntry(entry: Entry, limits: ArchiveLimits, findings: FindingList): ListedEntry {
  const { name, faults } = readName(entry);
  const isTooLong = entry.fileNameLength > 4 * limits.pathBytes;
  const checked = checkPath(isTooLong ? name.slice(0, limits.pathBytes + 1) : name, limits);
  const mode = checkMode(entry, name);
  const listed: ListedEntry = {
    path: checked.path,
    spelling: checked.spelling,
    rawName: isTooLong ? undefined : entry.fileNameRaw.toString("latin1"),
    isFolder: mode.isFolder,
    isJunk: isJunk(checked.path),
    method: entry.compressionMethod,
    flags: entry.generalPurposeBitFlag,
    crc32: entry.crc32,
    packedSize: entry.compressedSize,
    size: entry.uncompressedSize,
    at: entry.relativeOffsetOfLocalHeader,
  };
  for (const { code, detail } of [...faults, ...checked.faults, ...mode.faults, ...contentFaults(listed)]) {
    findings.add(code, listed, detail);
  }
  return listed;
}

const ENCRYPTED = 0x2041;
const DESCRIPTOR = 0x8;
const AES = 99;

type Packing = Pick<ListedEntry, "flags" | "method" | "packedSize" | "size">;

interface Rule<T> {
  readonly code: Code;
  readonly detail: (entry: T) => string;
  readonly isWrong: (entry: T) => boolean;
}

const PACKING_RULES: readonly Rule<Packing>[] = [
  {
    code: "E_ZIP_ENCRYPTED",
    detail: () => "it is encrypted",
    isWrong: ({ flags, method }) => (flags & ENCRYPTED) !== 0 || method === AES,
  },
  {
    code: "E_ZIP_METHOD",
    detail: ({ method }) => `it is packed by method ${method}`,
    isWrong: ({ method }) => method !== 0 && method !== 8 && method !== AES,
  },
  {
    code: "E_ZIP_SIZE_MISMATCH",
    detail: ({ packedSize, size }) => `it is not packed, but has ${packedSize} bytes packed and ${size} bytes unpacked`,
    isWrong: ({ flags, method, packedSize, size }) => method === 0 && (flags & ENCRYPTED) === 0 && packedSize !== size,
  },
  {
    code: "W_ZIP_STORED_DATA_DESCRIPTOR",
    detail: () => "it is not packed, but its size follows its content",
    isWrong: ({ flags, method }) => method === 0 && (flags & DESCRIPTOR) !== 0,
  },
];

const RULES: readonly Rule<ListedEntry>[] = [
  ...PACKING_RULES,
  {
    code: "E_ZIP_CORRUPT",
    detail: () => "it is a folder, but has content",
    isWrong: (entry) => entry.isFolder && entry.size > 0,
  },
  { code: "W_ZIP_MAC_JUNK", detail: () => "a file manager created it", isWrong: (entry) => entry.isJunk },
  {
    code: "W_ZIP_NESTED_ARCHIVE",
    detail: () => "by its name it is an archive; it is not opened",
    isWrong: (entry) => !entry.isFolder && !entry.isJunk && isArchiveName(entry.path),
  },
];

function contentFaults(entry: ListedEntry): readonly { readonly code: Code; readonly detail: string }[] {
  return RULES.filter(({ isWrong }) => isWrong(entry)).map(({ code, detail }) => ({ code, detail: detail(entry) }));
}

async function checkDisk(list: EntryList, position: number, entry: ListedEntry, findings: FindingList): Promise<void> {
  const disk = await list.file.bytesAt(position + 34, 2);
  const isOther = disk.length === 2 && disk.readUInt16LE() !== 0 && disk.readUInt16LE() !== 0xffff;
  if (isOther) findings.add("E_ZIP_MULTIDISK", entry, "it is in another part");
}

const LIST_ENTRY = 0x02014b50;

async function reportUnread(file: EntryList["file"], at: number, findings: FindingList): Promise<void> {
  const bytes = await file.bytesAt(at, HEADER_LENGTH);
  if (bytes.length < HEADER_LENGTH || bytes.readUInt32LE() !== LIST_ENTRY) return;
  const fields = {
    flags: bytes.readUInt16LE(8),
    method: bytes.readUInt16LE(10),
    packedSize: bytes.readUInt32LE(20),
    size: bytes.readUInt32LE(24),
  };
  for (const { code, detail, isWrong } of PACKING_RULES) if (isWrong(fields)) findings.add(code, null, detail(fields));
}

function codeOf(error: unknown): Code {
  return messageOf(error).includes("encryption") ? "E_ZIP_ENCRYPTED" : "E_ZIP_CORRUPT";
}

interface Mode {
  readonly isFolder: boolean;
  readonly faults: readonly { readonly code: Code; readonly detail: string }[];
}

/**
 * The type that an entry declares: by its Unix mode, whatever system wrote it (other programs use
 * it too), and by the attribute of DOS.
 */
function checkMode(entry: Entry, name: string): Mode {
  const mode = entry.externalFileAttributes >>> 16;
  const kind = KINDS[mode & FORMAT];
  const faults: { code: Code; detail: string }[] = [];
  if (kind !== undefined) faults.push(kind);
  if ((mode & SET_ID) !== 0) faults.push({ code: "W_ZIP_MODE_BITS", detail: "it is marked setuid or setgid" });
  const isLink = kind?.code === "E_ZIP_SYMLINK";
  if (!isLink && hasLinkField(entry)) faults.push({ code: "E_ZIP_SYMLINK", detail: "an extra field makes it a link" });
  const isFolder =
    /[/\\]$/.test(name) || (mode & FORMAT) === FOLDER || (entry.externalFileAttributes & DOS_FOLDER) !== 0;
  return { isFolder, faults };
}

const FORMAT = 0o170000;
const FOLDER = 0o040000;
const SET_ID = 0o6000;
const DOS_FOLDER = 0x10;

const SPECIAL = (what: string) => ({ code: "E_ZIP_SPECIAL_FILE", detail: `it is ${what}` }) as const;

const KINDS: Readonly<Record<number, { readonly code: Code; readonly detail: string }>> = {
  [0o120000]: { code: "E_ZIP_SYMLINK", detail: "it is a symbolic link" },
  [0o020000]: SPECIAL("a character device"),
  [0o060000]: SPECIAL("a block device"),
  [0o140000]: SPECIAL("a socket"),
  [0o010000]: { code: "W_ZIP_MODE_BITS", detail: "it is marked as a pipe" },
};

/**
 * The two extra fields that can make an entry a hard or symbolic link: PKWARE's for UNIX (APPNOTE
 * 4.5.7: two times, two ids, then the path) and ASi's (checksum, mode, size or device, two ids,
 * then the path).
 */
function hasLinkField({ extraFields }: Entry): boolean {
  return extraFields.some(({ id, data }) => (id === 0x000d && data.length > 12) || (id === 0x756e && data.length > 14));
}
