import { type ArchiveFile, parseExtraFields } from "./archive-file.js";
import type { EntryList } from "./find-list.js";
import type { FindingList } from "./findings.js";
import type { ListedEntry } from "./read-list.js";

/** The position of the packed content of an entry in its archive. */
export interface ContentPlace {
  readonly entry: ListedEntry;
  readonly contentAt: number;
  readonly contentEnd: number;
}

/** The bytes of an entry: its local header, its content, and its data descriptor if it has one. */
export interface Extent extends ContentPlace {
  readonly at: number;
  readonly end: number;
}

/**
 * Finds a content by the entry's local header, without checks. A text: the reason why the header
 * can't be read. `wanted`: bytes of the content that the caller reads next; a few are read ahead.
 */
export async function findContent(
  file: ArchiveFile,
  entry: ListedEntry,
  wanted: number,
): Promise<ContentPlace | string> {
  const header = await readLocalHeader(file, entry.at, entry.at + wanted);
  if (typeof header === "string") return `its local header cannot be read: ${header}`;
  return { entry, contentAt: header.contentAt, contentEnd: header.contentAt + entry.packedSize };
}

/**
 * Compares the local header of each entry with the list of entries; programs that unpack without
 * seeking use the local headers. The result is in the order of positions and lacks the entries with
 * an unreadable header.
 */
export async function checkHeaders(
  { file, at: listAt }: EntryList,
  entries: readonly ListedEntry[],
  findings: FindingList,
): Promise<readonly Extent[]> {
  const extents: Extent[] = [];
  const ordered = entries.toSorted((one, other) => one.at - other.at);
  for (const [index, entry] of ordered.entries()) {
    const extent = await checkHeader(file, entry, ordered[index + 1]?.at ?? listAt, findings);
    if (extent !== undefined) extents.push(extent);
  }
  return extents;
}

async function checkHeader(
  file: ArchiveFile,
  entry: ListedEntry,
  next: number,
  findings: FindingList,
): Promise<Extent | undefined> {
  const header = await readLocalHeader(file, entry.at, next);
  if (typeof header === "string") {
    findings.add("E_ZIP_CORRUPT", entry, `its local header cannot be read: ${header}`);
    return undefined;
  }
  const { contentAt, fault } = header;
  const contentEnd = contentAt + entry.packedSize;
  if (fault !== undefined) findings.add("E_ZIP_CORRUPT", entry, fault);
  for (const detail of differences(entry, header)) findings.add("E_ZIP_HEADER_MISMATCH", entry, detail);
  const extent = { entry, at: entry.at, contentAt, contentEnd };
  if ((header.flags & HAS_DESCRIPTOR) === 0) return { ...extent, end: contentEnd };
  const length = await descriptorLength(file, contentEnd, entry, next);
  if (length === undefined)
    findings.add(
      "E_ZIP_HEADER_MISMATCH",
      entry,
      "the sizes after its content differ from those in the list of entries",
    );
  return { ...extent, end: contentEnd + (length ?? 0) };
}

const HAS_DESCRIPTOR = 0x8;
const ENCRYPTED = 0x1;
const LARGE = 0xffffffff;

function differences(entry: ListedEntry, header: LocalHeader): readonly string[] {
  const found: string[] = [];
  if (entry.rawName !== undefined && slashed(header.name.toString("latin1")) !== slashed(entry.rawName)) {
    found.push(`its local header has the name "${header.name.toString("utf8")}"`);
  }
  if (header.method !== entry.method) {
    found.push(`its local header has method ${header.method}, the list ${entry.method}`);
  }
  if ((header.flags & ENCRYPTED) !== (entry.flags & ENCRYPTED)) {
    found.push("only one of its local header and the list says that it is encrypted");
  }
  const isLater = (header.flags & HAS_DESCRIPTOR) !== 0;
  for (const [own, listed, what] of pairs(entry, header)) {
    const isLeftOpen = isLater && (own === 0 || own === LARGE);
    if (own !== listed && !isLeftOpen) found.push(`its local header has ${what} ${own}, the list ${listed}`);
  }
  return found;
}

function pairs(entry: ListedEntry, header: LocalHeader): readonly (readonly [number, number, string])[] {
  return [
    [header.crc32, entry.crc32, "checksum"],
    [header.packedSize, entry.packedSize, "packed size"],
    [header.size, entry.size, "size"],
  ];
}

/** IZArc writes backslashes in the list and slashes in the local header. */
function slashed(name: string): string {
  return name.replaceAll("\\", "/");
}

/** The local header of an entry (APPNOTE 4.3.7), as far as the file has it. */
interface LocalHeader {
  readonly flags: number;
  readonly method: number;
  /** Sizes come from the zip64 field if the header refers to it. */
  readonly crc32: number;
  readonly packedSize: number;
  readonly size: number;
  readonly name: Buffer;
  readonly contentAt: number;
  /** A fault of the header itself; the other fields are read nevertheless. */
  readonly fault: string | undefined;
}

const SIGNATURE = 0x04034b50;
const LENGTH = 30;
const ZIP64_FIELD = 1;

/** Bytes. Names and extra fields are rarely longer together. */
const USUAL = 512;
/** Bytes. Headers with a smaller distance are read together. */
const NEAR = 16 * 1024;

/** A text: the reason why there is no header. `next`: the end of the bytes that are read next. */
export async function readLocalHeader(file: ArchiveFile, at: number, next: number): Promise<LocalHeader | string> {
  const ahead = next - at > NEAR ? USUAL : undefined;
  const fixed = await file.bytesAt(at, LENGTH, ahead);
  if (fixed.length < LENGTH) return "the file ends before it";
  if (fixed.readUInt32LE() !== SIGNATURE) return `it begins with 0x${fixed.readUInt32LE().toString(16)}`;
  const nameLength = fixed.readUInt16LE(26);
  const extraLength = fixed.readUInt16LE(28);
  const rest = await file.bytesAt(at + LENGTH, nameLength + extraLength, ahead);
  const isCut = rest.length < nameLength + extraLength;
  const plain: Values = {
    crc32: fixed.readUInt32LE(14),
    packedSize: fixed.readUInt32LE(18),
    size: fixed.readUInt32LE(22),
  };
  const values = isCut ? plain : largeValues(plain, rest.subarray(nameLength));
  return {
    flags: fixed.readUInt16LE(6),
    method: fixed.readUInt16LE(8),
    ...(values ?? plain),
    name: rest.subarray(0, nameLength),
    contentAt: at + LENGTH + nameLength + extraLength,
    fault: isCut ? "its local header exceeds the end of the file" : faultOf(values),
  };
}

interface Values {
  readonly crc32: number;
  readonly packedSize: number;
  readonly size: number;
}

function faultOf(values: Values | undefined): string | undefined {
  return values === undefined ? "the extra fields of its local header exceed their length" : undefined;
}

/** The sizes of the zip64 field (APPNOTE 4.5.3) if the header refers to it. undefined: damaged. */
function largeValues(plain: Values, extra: Buffer): Values | undefined {
  try {
    const field = parseExtraFields(extra).find(({ id }) => id === ZIP64_FIELD)?.data;
    if (field === undefined || field.length < 16 || plain.size !== LARGE || plain.packedSize !== LARGE) return plain;
    return {
      crc32: plain.crc32,
      size: Number(field.readBigUInt64LE(0)),
      packedSize: Number(field.readBigUInt64LE(8)),
    };
  } catch {
    return undefined;
  }
}

/** APPNOTE 4.3.9: with or without a signature, sizes of 4 or 8 bytes; no field says which. */
const FORMS = [
  { signature: true, bytes: 4 },
  { signature: true, bytes: 8 },
  { signature: false, bytes: 4 },
  { signature: false, bytes: 8 },
] as const;
const DESCRIPTOR_SIGNATURE = 0x08074b50;
const LONGEST = 24;

/**
 * The length of the data descriptor after a content, in the form that matches the list; undefined:
 * no form matches. All forms of an empty content are zeros: the one that ends at `next` counts.
 */
async function descriptorLength(
  file: ArchiveFile,
  at: number,
  entry: ListedEntry,
  next: number,
): Promise<number | undefined> {
  const bytes = await file.bytesAt(at, LONGEST);
  const forms = FORMS.filter(({ signature, bytes: width }) => {
    const expected = descriptor(entry, signature, width);
    return bytes.subarray(0, expected.length).equals(expected);
  });
  const lengths = forms.map(lengthOf);
  return lengths.find((length) => at + length === next) ?? lengths[0];
}

function lengthOf({ signature, bytes }: (typeof FORMS)[number]): number {
  return (signature ? 4 : 0) + 4 + 2 * bytes;
}

function descriptor(entry: ListedEntry, signature: boolean, width: 4 | 8): Buffer {
  const bytes = Buffer.alloc(LONGEST);
  let at = signature ? bytes.writeUInt32LE(DESCRIPTOR_SIGNATURE) : 0;
  at = bytes.writeUInt32LE(entry.crc32, at);
  for (const size of [entry.packedSize, entry.size]) {
    const whole = BigInt(size);
    at = width === 8 ? bytes.writeBigUInt64LE(whole, at) : bytes.writeUInt32LE(Number(whole & 0xffffffffn), at);
  }
  return bytes.subarray(0, at);
}
