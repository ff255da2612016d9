import { descriptorLength } from "./descriptor.js";
import type { EntryList } from "./find-list.js";
import type { FindingList } from "./finding-list.js";
import { type LocalHeader, readLocalHeader } from "./local-header.js";
import type { ArchiveFile } from "./random-access.js";
import type { ListedEntry } from "./read-list.js";

/** Where the packed content of an entry lies in its archive. */
export interface ContentPlace {
  readonly entry: ListedEntry;
  readonly contentAt: number;
  readonly contentEnd: number;
}

/** The bytes of an archive that an entry takes: its own header, content, and the sizes behind it where it has them. */
export interface Extent extends ContentPlace {
  readonly at: number;
  readonly end: number;
}

/**
 * Finds a content by the entry's own header, and reads nothing else. A text: there is no header, and why.
 * `wanted`: bytes of the content that are asked for next; they are read with the header where they are few.
 */
export async function findContent(
  file: ArchiveFile,
  entry: ListedEntry,
  wanted: number,
): Promise<ContentPlace | string> {
  const header = await readLocalHeader(file, entry.at, entry.at + wanted);
  if (typeof header === "string") return `its own header can't be read: ${header}`;
  return { entry, contentAt: header.contentAt, contentEnd: header.contentAt + entry.packedSize };
}

/**
 * Compares each entry's own header, which programs that unpack without seeking go by, with the list of entries. Entries whose
 * header can't be read have no extent. In the order of their places in the archive.
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
    findings.add("E_ZIP_CORRUPT", entry, `its own header can't be read: ${header}`);
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
    findings.add("E_ZIP_HEADER_MISMATCH", entry, "the sizes behind it are others than the list's");
  return { ...extent, end: contentEnd + (length ?? 0) };
}

const HAS_DESCRIPTOR = 0x8;
const ENCRYPTED = 0x1;
const LARGE = 0xffffffff;

function differences(entry: ListedEntry, header: LocalHeader): readonly string[] {
  const found: string[] = [];
  if (entry.rawName !== undefined && slashed(header.name.toString("latin1")) !== slashed(entry.rawName)) {
    found.push(`its own header names it "${header.name.toString("utf8")}"`);
  }
  if (header.method !== entry.method) {
    found.push(`its own header has method ${header.method}, the list ${entry.method}`);
  }
  if ((header.flags & ENCRYPTED) !== (entry.flags & ENCRYPTED)) {
    found.push("its own header and the list disagree whether it is encrypted");
  }
  const isLater = (header.flags & HAS_DESCRIPTOR) !== 0;
  for (const [own, listed, what] of pairs(entry, header)) {
    const isLeftOpen = isLater && (own === 0 || own === LARGE);
    if (own !== listed && !isLeftOpen) found.push(`its own header has ${what} ${own}, the list ${listed}`);
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

/** IZArc writes back-slashes in the list and slashes in the header. */
function slashed(name: string): string {
  return name.replaceAll("\\", "/");
}
