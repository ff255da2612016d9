import type { ArchiveFile } from "./archive-file.js";
import type { FindingList } from "./findings.js";

/** The list of entries (central directory). Positions count from the beginning of the archive. */
export interface EntryList {
  readonly file: ArchiveFile;
  readonly prefix: number;
  readonly at: number;
  readonly size: number;
  readonly entryCount: number;
  /** The last end record of the file, if it is not the one that was used. */
  readonly last?: EndRecord;
  /** Positions of other possible end records. */
  readonly otherEnds: readonly number[];
}

/** Finds the list and adds what is wrong to `findings`; undefined: no list can be read. */
export async function findList(file: ArchiveFile, findings: FindingList): Promise<EntryList | undefined> {
  const { records, isCut } = await findEndRecords(file);
  const leading = await keepLeading(file, records);
  const record = leading.findLast(({ end }) => end === file.size) ?? leading.at(-1) ?? records.at(-1);
  if (record === undefined) return noEnd(file, isCut, findings);
  const trailing = file.size - record.end;
  if (trailing > 0) findings.add("W_ZIP_TRAILING_DATA", null, `it has ${trailing} bytes after its end`);
  for (const { code, detail } of record.faults) findings.add(code, null, detail);
  if (record.isMultidisk) {
    findings.add("E_ZIP_MULTIDISK", null, "its end record refers to other parts");
    return undefined;
  }
  if (record.entryCount === 0 && record.listSize === 0) {
    findings.add("E_ZIP_EMPTY", null, "it has no entries");
    if (leading.length > 1)
      findings.add("E_ZIP_AMBIGUOUS", null, "another of its end records refers to a list of entries");
    return undefined;
  }
  const place = await placeOf(file, record, findings);
  if (place === undefined) return undefined;
  const { at, prefix } = place;
  const last = records.at(-1);
  if (record.recordShift !== 0 && record.recordShift !== prefix) {
    findings.add("E_ZIP_AMBIGUOUS", null, "the zip64 locator does not refer to the record before it");
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
 * Programs that search from the end of the file use the first end record that they find, even one
 * in the comment that refers to no list.
 */
function rivals(other: EndRecord, record: EndRecord, leading: readonly EndRecord[]): boolean {
  return other.at > record.at || (other !== record && leading.includes(other));
}

async function keepLeading(file: ArchiveFile, records: readonly EndRecord[]): Promise<readonly EndRecord[]> {
  const leading: EndRecord[] = [];
  for (const record of records) if (await leadsToList(file, record)) leading.push(record);
  return leading;
}

/** Adds the faults that programs find which use the last end record, if that is another one. */
export async function checkLastEnd({ file, last }: EntryList, findings: FindingList): Promise<void> {
  if (last === undefined || last.isMultidisk) return;
  await placeOf(file.startingAt(0), last, findings.prefixed("by its last end record: "));
}

async function noEnd(file: ArchiveFile, isCut: boolean, findings: FindingList): Promise<undefined> {
  const first = await file.bytesAt(0, 64);
  if (isCut || /^PK(?:\p{Cc}{2}|00)/u.test(first.toString("latin1"))) {
    findings.add("E_ZIP_TRUNCATED", null, `its ${file.size} bytes have no end record`);
    return undefined;
  }
  findings.add("E_NOT_ZIP", null, `it is ${fileTypeOf(first)}`);
  return undefined;
}

/**
 * The list at the position that the record declares, or directly before the end record. If only the
 * second is a list, bytes were put before the archive and all positions are shifted by them.
 */
async function placeOf(
  file: ArchiveFile,
  record: EndRecord,
  findings: FindingList,
): Promise<{ readonly at: number; readonly prefix: number } | undefined> {
  const { listAt, listSize, listEnd } = record;
  const before = listEnd - listSize;
  const [isDeclared, isBefore] = [await isListAt(file, listAt, record), await isListAt(file, before, record)];
  if (isDeclared && before === listAt) return { at: listAt, prefix: 0 };
  if (isDeclared && isBefore) {
    findings.add(
      "E_ZIP_AMBIGUOUS",
      null,
      `two lists of entries match its end record, at byte ${listAt} and at byte ${before}`,
    );
    return { at: before, prefix: 0 };
  }
  if (isBefore && before > listAt) return { at: before, prefix: before - listAt };
  if (before > listAt) {
    const detail = `by the size of its list, ${before - listAt} bytes come before the archive`;
    findings.add("W_ZIP_PREFIX_DATA", null, detail);
  }
  const declared = `${listSize} bytes at byte ${listAt}, ending before byte ${listEnd}`;
  findings.add("E_ZIP_CORRUPT", null, `the list of entries is not where the end record declares it (${declared})`);
  if (isDeclared) return { at: listAt, prefix: 0 };
  return isBefore ? { at: before, prefix: 0 } : undefined;
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

/** A possible end of an archive, and what it declares about the list of entries. */
interface EndRecord {
  readonly at: number;
  readonly end: number;
  readonly entryCount: number;
  readonly listSize: number;
  /** The declared beginning of the list. */
  readonly listAt: number;
  /** The end that the list must have: the first record after it. */
  readonly listEnd: number;
  readonly isMultidisk: boolean;
  /**
   * The distance of the zip64 record from the position that its locator declares; 0 without one.
   */
  readonly recordShift: number;
  readonly faults: readonly { readonly code: "E_ZIP_CORRUPT" | "E_ZIP_AMBIGUOUS"; readonly detail: string }[];
}

/** All possible end records in the last 64 KiB, in order; `isCut`: one of them is incomplete. */
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

/** Is there a list of entries at the declared position, or directly before the record? */
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

/** An encrypted list of entries has such a record (APPNOTE 7.3.5). */
function miscount(here: number, entryCount: number): EndRecord["faults"] {
  if (here !== 0 || entryCount === 0) return [];
  const detail = `the end record counts ${entryCount} entries, but none in this part, which is the only one`;
  return [{ code: "E_ZIP_CORRUPT", detail }];
}

type Fields = Readonly<Record<"entryCount" | "listSize" | "listAt", number>>;

interface Zip64 {
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
  // The list covers the position: these bytes are part of a name or a comment in it.
  if (plain.listSize !== MAGIC.listSize && plain.listAt !== MAGIC.listAt && plain.listAt + plain.listSize === endAt) {
    return undefined;
  }
  const declaredAt = Number(locator.readBigUInt64LE(8));
  const disks = locator.readUInt32LE(16);
  const record =
    (await recordAt(file, declaredAt, locatorAt)) ?? (await recordAt(file, locatorAt - ZIP64_RECORD_LENGTH, locatorAt));
  if (record === undefined) {
    const detail = "the zip64 locator refers to no zip64 end record";
    return { at: locatorAt, shift: 0, isMultidisk: disks > 1, faults: [{ code: "E_ZIP_CORRUPT", detail }] };
  }
  return {
    ...record,
    shift: record.at - declaredAt,
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

/** The values of the plain record that refer to the zip64 record. */
const MAGIC: Fields = { entryCount: 0xffff, listSize: 0xffffffff, listAt: 0xffffffff };
const FIELDS = ["entryCount", "listSize", "listAt"] as const;

function disagreements(plain: Fields, large: Fields): EndRecord["faults"] {
  return FIELDS.filter((field) => plain[field] !== MAGIC[field] && plain[field] !== large[field]).map((field) => ({
    code: "E_ZIP_AMBIGUOUS",
    detail: `the end record and its zip64 record disagree: ${field} ${plain[field]} and ${large[field]}`,
  }));
}

/** The probable type of a file by its first bytes; for messages only. */
function fileTypeOf(first: Buffer): string {
  if (first.length === 0) return "an empty file";
  const text = first.toString("latin1");
  const found = SIGNATURES.find(([pattern]) => pattern.test(text));
  return found?.[1] ?? "a file of an unknown type";
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
  [/^(?:\s|\P{Cc})+$/u, "a text file"],
];
