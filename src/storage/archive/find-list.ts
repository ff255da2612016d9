import { type EndRecord, findEndRecords, isListAt, leadsToList } from "./end-record.js";
import { fileTypeOf } from "./file-type.js";
import type { FindingList } from "./finding-list.js";
import type { ArchiveFile } from "./random-access.js";

/** Where the list of entries (central directory) lies. Positions count from the archive's beginning. */
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

/** Finds the list, and tells what is wrong on the way to it; undefined when there is none that can be read. */
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

/** Programs that look for the end from behind take the first that they meet: one in the comment counts even if it leads nowhere. */
function rivals(other: EndRecord, record: EndRecord, leading: readonly EndRecord[]): boolean {
  return other.at > record.at || (other !== record && leading.includes(other));
}

async function keepLeading(file: ArchiveFile, records: readonly EndRecord[]): Promise<readonly EndRecord[]> {
  const leading: EndRecord[] = [];
  for (const record of records) if (await leadsToList(file, record)) leading.push(record);
  return leading;
}

/** What programs meet that take the first end from behind, where that is another one: tells what is wrong on the way from there. */
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
 * The list as said, or right before the end record. Where these differ and the second is a list, all positions are off by the
 * bytes that were put before the archive, and nobody corrected them.
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
