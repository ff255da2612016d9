import { Entry, type LocalFileHeader, parseExtraFields, type ZipFile } from "yauzl";
import { descriptorLength } from "./descriptor.js";
import { isDiskFailure } from "./disk-error.js";
import type { EntryList } from "./find-list.js";
import type { FindingList } from "./finding-list.js";
import type { ArchiveFile } from "./random-access.js";
import type { ListedEntry } from "./read-list.js";

/** The bytes of an archive that an entry takes: its own header, content, and the sizes behind it where it has them. */
export interface Extent {
  readonly entry: ListedEntry;
  readonly at: number;
  readonly contentAt: number;
  readonly contentEnd: number;
  readonly end: number;
}

/**
 * Compares each entry's own header, which programs that unpack without seeking go by, with the list of entries. Entries whose
 * header can't be read have no extent. In the order of their places in the archive.
 */
export async function checkHeaders(
  zip: ZipFile,
  { file, at: listAt }: EntryList,
  entries: readonly ListedEntry[],
  findings: FindingList,
): Promise<readonly Extent[]> {
  const extents: Extent[] = [];
  const ordered = entries.toSorted((one, other) => one.at - other.at);
  for (const [index, entry] of ordered.entries()) {
    const extent = await checkHeader(zip, file, entry, ordered[index + 1]?.at ?? listAt, findings);
    if (extent !== undefined) extents.push(extent);
  }
  return extents;
}

async function checkHeader(
  zip: ZipFile,
  file: ArchiveFile,
  entry: ListedEntry,
  next: number,
  findings: FindingList,
): Promise<Extent | undefined> {
  const header = await readHeader(zip, entry);
  if (header instanceof Error) {
    findings.add("E_ZIP_CORRUPT", entry, `its own header can't be read: ${header.message}`);
    return undefined;
  }
  const local = localValues(header);
  if (local === undefined)
    findings.add("E_ZIP_CORRUPT", entry, "the extra fields of its own header run over their end");
  for (const detail of differences(entry, header, local ?? header))
    findings.add("E_ZIP_HEADER_MISMATCH", entry, detail);
  const contentEnd = header.fileDataStart + entry.packedSize;
  const extent = { entry, at: entry.at, contentAt: header.fileDataStart, contentEnd };
  if ((header.generalPurposeBitFlag & HAS_DESCRIPTOR) === 0) return { ...extent, end: contentEnd };
  const length = await descriptorLength(file, contentEnd, entry, next);
  if (length === undefined)
    findings.add("E_ZIP_HEADER_MISMATCH", entry, "the sizes behind it are others than the list's");
  return { ...extent, end: contentEnd + (length ?? 0) };
}

async function readHeader(zip: ZipFile, entry: ListedEntry): Promise<LocalFileHeader | Error> {
  try {
    // yauzl uses no more of an entry than these two.
    const place = Object.assign(new Entry(), {
      relativeOffsetOfLocalHeader: entry.at,
      compressedSize: entry.packedSize,
    });
    return await zip.readLocalFileHeaderPromise(place, {});
  } catch (error) {
    if (isDiskFailure(error)) throw error;
    return error instanceof Error ? error : new Error(String(error));
  }
}

const HAS_DESCRIPTOR = 0x8;
const ENCRYPTED = 0x1;
const LARGE = 0xffffffff;
const ZIP64_FIELD = 1;

interface Values {
  readonly crc32: number;
  readonly compressedSize: number;
  readonly uncompressedSize: number;
}

/** With the sizes of the zip64 field (APPNOTE 4.5.3) where the header points there. undefined: the fields are damaged. */
function localValues(header: LocalFileHeader): Values | undefined {
  const { crc32, compressedSize, uncompressedSize, extraField } = header;
  try {
    const field = parseExtraFields(extraField).find(({ id }) => id === ZIP64_FIELD)?.data;
    if (field === undefined || field.length < 16 || uncompressedSize !== LARGE || compressedSize !== LARGE)
      return header;
    return {
      crc32,
      uncompressedSize: Number(field.readBigUInt64LE(0)),
      compressedSize: Number(field.readBigUInt64LE(8)),
    };
  } catch {
    return undefined;
  }
}

function differences(entry: ListedEntry, header: LocalFileHeader, local: Values): readonly string[] {
  const name = header.fileName.toString("latin1");
  const found: string[] = [];
  if (entry.rawName !== undefined && slashed(name) !== slashed(entry.rawName)) {
    found.push(`its own header names it "${header.fileName.toString("utf8")}"`);
  }
  if (header.compressionMethod !== entry.method) {
    found.push(`its own header has method ${header.compressionMethod}, the list ${entry.method}`);
  }
  if ((header.generalPurposeBitFlag & ENCRYPTED) !== (entry.flags & ENCRYPTED)) {
    found.push("its own header and the list disagree whether it is encrypted");
  }
  const isLater = (header.generalPurposeBitFlag & HAS_DESCRIPTOR) !== 0;
  for (const [own, listed, what] of pairs(entry, local)) {
    const isLeftOpen = isLater && (own === 0 || own === LARGE);
    if (own !== listed && !isLeftOpen) found.push(`its own header has ${what} ${own}, the list ${listed}`);
  }
  return found;
}

function pairs(entry: ListedEntry, local: Values): readonly (readonly [number, number, string])[] {
  return [
    [local.crc32, entry.crc32, "checksum"],
    [local.compressedSize, entry.packedSize, "packed size"],
    [local.uncompressedSize, entry.size, "size"],
  ];
}

/** IZArc writes back-slashes in the list and slashes in the header. */
function slashed(name: string): string {
  return name.replaceAll("\\", "/");
}
