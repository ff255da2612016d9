import type { ArchiveFile } from "./archive-file.js";
import type { FindingList } from "./findings.js";

/**
 * Where the list of entries (central directory) lies. Positions count from the archive's beginning.
 */
export interface EntryList {
  /** The file, with positions that count from the archive's beginning. */
  readonly file: ArchiveFile;
  /** Bytes in the file before the archive's beginning. */
  readonly prefix: number;
  readonly at: number;
  readonly size: number;
  readonly entryCount: number;
  /** The last end record of the file. Absent: it led here. */
  readonly last?: EndRecord;
  /** Other places where the archive might end. */
  readonly otherEnds: readonly number[];
}

/**
 * Finds the list, and tells what is wrong on the way to it; undefined when there is none that can
 * be read.
 */
export async function findList(file: ArchiveFile, findings: FindingList): Promise<EntryList | undefined> {
  const { records, isCut } = await findEndRecords(file);
  const leading = await keepLeading(file, records);
  const record = leading.findLast(({ end }) => end === file.size) ?? leading.at(-1) ?? records.at(-1);
  if (record === undefined) return noEnd(file, isCut, findings);
  const behind = file.size - record.end;
  if (behind > 0) findings.add("W_ZIP_TRAILING_DATA", null, `${behind} bytes stand behind its end`);
  for (const { code, detail } of record.faults) findings.add(code, null, detail);
  if (record.isMultidisk) {
    findings.add("E_ZIP_MULTIDISK", null, "its end record tells of other parts");
    return undefined;
  }
  if (record.entryCount === 0 && record.listSize === 0) {
    findings.add("E_ZIP_EMPTY", null, "it has no entries");
    if (leading.length > 1)
      findings.add("E_ZIP_AMBIGUOUS", null, "another of its end records leads to a list of entries");
    return undefined;
  }
  const place = await placeOf(file, record, findings);
  if (place === undefined) return undefined;
  const { at, prefix } = place;
  const last = records.at(-1);
  if (record.recordShift !== 0 && record.recordShift !== prefix) {
    findings.add("E_ZIP_AMBIGUOUS", null, "the zip64 locator leads elsewhere than to the record before it");
  }
  return {
    file: file.startingAt(prefix),
    prefix,
    at: at - prefix,
    size: record.listEnd - at,
    entryCount: record.entryCount,
    ...(last === undefined || last === record ? {} : { last }),
    otherEnds: records.filter((other) => rivals(other, record, leading)).map((other) => other.at - prefix),
  };
}

/**
 * Programs that look for the end from behind take the first that they meet: one in the comment
 * counts even if it leads nowhere.
 */
function rivals(other: EndRecord, record: EndRecord, leading: readonly EndRecord[]): boolean {
  return other.at > record.at || (other !== record && leading.includes(other));
}

async function keepLeading(file: ArchiveFile, records: readonly EndRecord[]): Promise<readonly EndRecord[]> {
  const leading: EndRecord[] = [];
  for (const record of records) if (await leadsToList(file, record)) leading.push(record);
  return leading;
}

/**
 * What programs meet that take the first end from behind, where that is another one: tells what is
 * wrong on the way from there.
 */
export async function checkLastEnd({ file, last }: EntryList, findings: FindingList): Promise<void> {
  if (last === undefined || last.isMultidisk) return;
  await placeOf(file.startingAt(0), last, findings.noting("by the last of its end records: "));
}

async function noEnd(file: ArchiveFile, isCut: boolean, findings: FindingList): Promise<undefined> {
  const first = await file.bytesAt(0, 64);
  if (isCut || /^PK(?:\p{Cc}{2}|00)/u.test(first.toString("latin1"))) {
    findings.add("E_ZIP_TRUNCATED", null, `its end is not among its ${file.size} bytes`);
    return undefined;
  }
  findings.add("E_NOT_ZIP", null, `it is ${fileTypeOf(first)}`);
  return undefined;
}

/**
 * The list as said, or right before the end record. Where these differ and the second is a list,
 * all positions are off by the bytes that were put before the archive, and nobody corrected them.
 */
async function placeOf(
  file: ArchiveFile,
  record: EndRecord,
  findings: FindingList,
): Promise<{ readonly at: number; readonly prefix: number } | undefined> {
  const { listAt, listSize, listEnd } = record;
  const before = listEnd - listSize;
  const [isAsSaid, isBefore] = [await isListAt(file, listAt, record), await isListAt(file, before, record)];
  if (isAsSaid && before === listAt) return { at: listAt, prefix: 0 };
  if (isAsSaid && isBefore) {
    findings.add(
      "E_ZIP_AMBIGUOUS",
      null,
      `two lists of entries fit its end record, at byte ${listAt} and at ${before}`,
    );
    return { at: before, prefix: 0 };
  }
  if (isBefore && before > listAt) return { at: before, prefix: before - listAt };
  if (before > listAt) tellShift(before - listAt, findings);
  const saying = `${listSize} bytes at byte ${listAt}, ending before byte ${listEnd}`;
  findings.add("E_ZIP_CORRUPT", null, `the list of entries is not where the end record says it is (${saying})`);
  if (isAsSaid) return { at: listAt, prefix: 0 };
  return isBefore ? { at: before, prefix: 0 } : undefined;
}

function tellShift(bytes: number, findings: FindingList): void {
  findings.add("W_ZIP_PREFIX_DATA", null, `by its list's size ${bytes} bytes would stand before the archive`);
}

/** PKWARE APPNOTE 4.3.16, 4.3.15 and 4.3.14: the archive ends with these, read from the end. */
export const END_RECORD = 0x06054b50;
const ZIP64_LOCATOR = 0x07064b50;
const ZIP64_RECORD = 0x06064b50;
const LIST_ENTRY = 0x02014b50;

const END_RECORD_LENGTH = 22;
const LOCATOR_LENGTH = 20;
const ZIP64_RECORD_LENGTH = 56;
const LONGEST_COMMENT = 0xffff;

/** One place that an archive may end at, and what it says of the list of entries. */
interface EndRecord {
  /** Where it lies in the file. */
  readonly at: number;
  /** Where its comment ends. */
  readonly end: number;
  readonly entryCount: number;
  /** Bytes of the list of entries. */
  readonly listSize: number;
  /** Where the list begins, as said. */
  readonly listAt: number;
  /** Where the list must end: the first of the end records. */
  readonly listEnd: number;
  readonly isMultidisk: boolean;
  /** How many bytes behind the place that its locator says the zip64 record lies; 0 without one. */
  readonly recordShift: number;
  /** What contradicts itself. */
  readonly faults: readonly { readonly code: "E_ZIP_CORRUPT" | "E_ZIP_AMBIGUOUS"; readonly detail: string }[];
}

/**
 * Every place in the last 64 KiB that an archive may end at, from the front; `isCut` when one is
 * there and not whole.
 */
async function findEndRecords(
  file: ArchiveFile,
): Promise<{ readonly records: readonly EndRecord[]; readonly isCut: boolean }> {
  const tailAt = Math.max(0, file.size - END_RECORD_LENGTH - LONGEST_COMMENT);
  const tail = await file.bytesAt(tailAt, file.size - tailAt);
  const signature = Buffer.alloc(4);
  signature.writeUInt32LE(END_RECORD);
  const records: EndRecord[] = [];
  let isCut = false;
  for (let at = tail.indexOf(signature); at >= 0; at = tail.indexOf(signature, at + 1)) {
    const fits =
      at + END_RECORD_LENGTH <= tail.length && at + END_RECORD_LENGTH + tail.readUInt16LE(at + 20) <= tail.length;
    if (fits) records.push(await readEndRecord(file, tailAt + at, tail.subarray(at, at + END_RECORD_LENGTH)));
    else isCut = true;
  }
  return { records, isCut };
}

/** Does the list of entries lie where the record says, or where it ends before the record? */
async function leadsToList(file: ArchiveFile, record: EndRecord): Promise<boolean> {
  if (record.entryCount === 0 && record.listSize === 0) return true;
  return (
    (await isListAt(file, record.listAt, record)) || (await isListAt(file, record.listEnd - record.listSize, record))
  );
}

async function isListAt(file: ArchiveFile, position: number, record: EndRecord): Promise<boolean> {
  if (position < 0 || position + 4 > record.listEnd) return false;
  const bytes = await file.bytesAt(position, 4);
  return bytes.length === 4 && bytes.readUInt32LE() === LIST_ENTRY;
}

async function readEndRecord(file: ArchiveFile, at: number, bytes: Buffer): Promise<EndRecord> {
  const plain = {
    disk: bytes.readUInt16LE(4),
    listDisk: bytes.readUInt16LE(6),
    countHere: bytes.readUInt16LE(8),
    entryCount: bytes.readUInt16LE(10),
    listSize: bytes.readUInt32LE(12),
    listAt: bytes.readUInt32LE(16),
  };
  const place = { at, end: at + END_RECORD_LENGTH + bytes.readUInt16LE(20) };
  const large = await readZip64(file, at, plain);
  const { entryCount, listSize, listAt } = { ...plain, ...large?.values };
  const isSplit = plain.disk !== plain.listDisk || (plain.disk !== 0 && plain.disk !== 0xffff);
  return {
    ...place,
    entryCount,
    listSize,
    listAt,
    listEnd: large?.at ?? at,
    isMultidisk: isSplit || (large?.isMultidisk ?? false) || plain.countHere !== plain.entryCount,
    recordShift: large?.shift ?? 0,
    faults: [...(large?.faults ?? []), ...(isSplit ? [] : miscount(plain.countHere, entryCount))],
  };
}

/** An encrypted list has such a record (APPNOTE 7.3.5). */
function miscount(here: number, entryCount: number): EndRecord["faults"] {
  if (here !== 0 || entryCount === 0) return [];
  const detail = `the end record counts ${entryCount} entries, and none in its own and only part`;
  return [{ code: "E_ZIP_CORRUPT", detail }];
}

type Fields = Readonly<Record<"entryCount" | "listSize" | "listAt", number>>;

interface Zip64 {
  /** Where the first of its records lies. */
  readonly at: number;
  readonly shift: number;
  readonly values?: Fields;
  readonly isMultidisk: boolean;
  readonly faults: EndRecord["faults"];
}

/** undefined: it has none. */
async function readZip64(file: ArchiveFile, endAt: number, plain: Fields): Promise<Zip64 | undefined> {
  const locatorAt = endAt - LOCATOR_LENGTH;
  if (locatorAt < 0) return undefined;
  const locator = await file.bytesAt(locatorAt, LOCATOR_LENGTH);
  if (locator.length < LOCATOR_LENGTH || locator.readUInt32LE() !== ZIP64_LOCATOR) return undefined;
  // The list reaches over it: then it is a part of a name or a comment there.
  if (plain.listSize !== MAGIC.listSize && plain.listAt !== MAGIC.listAt && plain.listAt + plain.listSize === endAt) {
    return undefined;
  }
  const said = Number(locator.readBigUInt64LE(8));
  const disks = locator.readUInt32LE(16);
  const record =
    (await recordAt(file, said, locatorAt)) ?? (await recordAt(file, locatorAt - ZIP64_RECORD_LENGTH, locatorAt));
  if (record === undefined) {
    const detail = "the zip64 locator leads to no zip64 end record";
    return { at: locatorAt, shift: 0, isMultidisk: disks > 1, faults: [{ code: "E_ZIP_CORRUPT", detail }] };
  }
  return {
    ...record,
    shift: record.at - said,
    isMultidisk: disks > 1 || record.isMultidisk,
    faults: disagreements(plain, record.values),
  };
}

async function recordAt(
  file: ArchiveFile,
  at: number,
  end: number,
): Promise<(Omit<Zip64, "faults" | "shift"> & { readonly values: Fields }) | undefined> {
  if (at < 0 || at + ZIP64_RECORD_LENGTH > end) return undefined;
  const bytes = await file.bytesAt(at, ZIP64_RECORD_LENGTH);
  if (bytes.length < ZIP64_RECORD_LENGTH || bytes.readUInt32LE() !== ZIP64_RECORD) return undefined;
  if (at + 12 + Number(bytes.readBigUInt64LE(4)) !== end) return undefined;
  const values = {
    entryCount: Number(bytes.readBigUInt64LE(32)),
    listSize: Number(bytes.readBigUInt64LE(40)),
    listAt: Number(bytes.readBigUInt64LE(48)),
  };
  const isMultidisk = bytes.readUInt32LE(16) !== 0 || bytes.readBigUInt64LE(24) !== bytes.readBigUInt64LE(32);
  return { at, values, isMultidisk };
}

/** What the plain record says where zip64 counts. */
const MAGIC: Fields = { entryCount: 0xffff, listSize: 0xffffffff, listAt: 0xffffffff };
const FIELDS = ["entryCount", "listSize", "listAt"] as const;

function disagreements(plain: Fields, large: Fields): EndRecord["faults"] {
  return FIELDS.filter((field) => plain[field] !== MAGIC[field] && plain[field] !== large[field]).map((field) => ({
    code: "E_ZIP_AMBIGUOUS",
    detail: `the end record and its zip64 record disagree: ${field} ${plain[field]} and ${large[field]}`,
  }));
}

/** What a file that is no zip archive seems to be, by its first bytes; for messages only. */
function fileTypeOf(first: Buffer): string {
  if (first.length === 0) return "an empty file";
  const text = first.toString("latin1");
  const found = SIGNATURES.find(([pattern]) => pattern.test(text));
  return found?.[1] ?? "something else";
}

const SIGNATURES: readonly (readonly [RegExp, string])[] = [
  [/^Rar!/, "a RAR archive"],
  [/^7z\xbc\xaf/, "a 7z archive"],
  [/^\p{Cc}\x8b/u, "a gzip file"],
  [/^BZh/, "a bzip2 file"],
  [/^\xfd7zXZ/, "an xz file"],
  [/^%PDF-/, "a PDF"],
  [/^\x89PNG/, "a PNG image"],
  [/^\xff\xd8\xff/, "a JPEG image"],
  [/^\s*(?:<!doctype html|<html)/i, "an HTML page"],
  [/^(?:\xef\xbb\xbf)?\s*<(?:\?xml|[a-z])/i, "an XML file"],
  [/^\s*[{[]/, "JSON"],
  [/^(?:\s|\P{Cc})+$/u, "a text"],
];
