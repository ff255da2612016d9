import type { FileHandle } from "node:fs/promises";
import { ArchiveFile, type ByteReader, withArchive } from "./archive-file.js";
import {
  checkContents,
  checkInOrder,
  checkLayout,
  checkSizes,
  checkUnshifted,
  type EntryOrder,
} from "./check-entries.js";
import { checkHeaders, type Extent } from "./entry-headers.js";
import { checkNames } from "./entry-names.js";
import { checkLastEnd, findList } from "./find-list.js";
import { type Finding, FindingList } from "./findings.js";
import { type ArchiveLimits, DEFAULT_LIMITS } from "./limits.js";
import { type ListedEntry, readList } from "./read-list.js";

export interface InspectOptions {
  /** Default, for each limit: DEFAULT_LIMITS. */
  readonly limits?: Partial<ArchiveLimits>;
  /**
   * Unpack every content once and discard it, so that wrong checksums and sizes are found before
   * anything is written. Without it, such a content fails when it is read. Default: true.
   */
  readonly readContents?: boolean;
  /** Compute the sha256 of every content that is read. Default: false. */
  readonly hashContents?: boolean;
  /** Its reason is thrown while the contents are read. Default: none. */
  readonly signal?: AbortSignal;
  /**
   * Accept more entries than `limits.entries` if they are in this order without a byte between
   * them. The memory stays constant, and the inspection lists no entries. Default: never.
   */
  readonly order?: EntryOrder;
}

interface Inspection {
  /** In the archive's order, with folders and junk; up to the first unreadable entry. */
  readonly entries: readonly ListedEntry[];
  /** Errors first. */
  readonly findings: readonly Finding[];
  readonly findingsLeft: number;
  /** At least one finding is an error: nothing in the archive may be used. */
  readonly isRefused: boolean;
}

/** An inspection whose contents can be read. */
export interface ReadableInspection extends Inspection {
  readonly file: ArchiveFile;
  readonly extents: readonly Extent[];
  /** Could the list of entries be read to its end? */
  readonly isWhole: boolean;
  /** sha256 of the contents by path, in lower-case hexadecimal; empty without `hashContents`. */
  readonly digests: ReadonlyMap<string, string>;
}

/**
 * Inspects a zip archive by section 3.1 of the specification of training modules (rows transport
 * and names), and writes nothing. It returns all findings together. A given handle stays open.
 * Throws ArchiveError when the file can't be read at all.
 */
export async function inspectArchive(archive: string | FileHandle, options: InspectOptions = {}): Promise<Inspection> {
  return withArchive(archive, async (handle, bytes) => {
    const { entries, findings, findingsLeft, isRefused } = await inspectFile(handle, bytes, options);
    return { entries, findings, findingsLeft, isRefused };
  });
}

/**
 * The same for an open file, or one that is decrypted as it is read. Throws the reader's errors.
 */
export async function inspectFile(
  handle: ByteReader,
  bytes: number,
  options: InspectOptions,
): Promise<ReadableInspection> {
  const limits: ArchiveLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const findings = new FindingList(limits.findings);
  const looked = await inspectList(new ArchiveFile(handle, bytes), limits, findings, options);
  return { ...looked, findings: findings.all, findingsLeft: findings.left, isRefused: findings.isRefused };
}

/** The minimum bytes of an entry in the list (APPNOTE 4.3.12). */
const LIST_ENTRY_LENGTH = 46;

type ListInspection = Pick<ReadableInspection, "file" | "entries" | "extents" | "isWhole" | "digests">;

async function inspectList(
  file: ArchiveFile,
  limits: ArchiveLimits,
  findings: FindingList,
  { readContents = true, hashContents = false, signal, order }: InspectOptions,
): Promise<ListInspection> {
  const nothing: ListInspection = { file, entries: [], extents: [], isWhole: false, digests: new Map() };
  if (file.size > limits.archiveBytes) {
    findings.add("E_ZIP_TOTAL_SIZE", null, `the file has ${file.size} bytes; the limit is ${limits.archiveBytes}`);
    return nothing;
  }
  const list = await findList(file, findings);
  if (list === undefined) return nothing;
  if (list.entryCount > limits.entries && order !== undefined) {
    await checkInOrder(list, order, limits, findings);
    return nothing;
  }
  if (list.entryCount > limits.entries) {
    findings.add("E_ZIP_ENTRY_COUNT", null, `it has ${list.entryCount} entries; the limit is ${limits.entries}`);
    if (list.entryCount > list.size / LIST_ENTRY_LENGTH)
      findings.add("E_ZIP_CORRUPT", null, `a list of ${list.size} bytes is too short for ${list.entryCount} entries`);
    return nothing;
  }
  const { entries, ended } = await readList(list, limits, findings);
  checkNames(entries, findings);
  checkSizes(entries, file.size, limits, findings);
  const extents = await checkHeaders(list, entries, findings);
  await checkLayout(list, extents, ended, limits, findings);
  const digests = new Map<string, string>();
  const take = hashContents ? { digests, signal } : { signal };
  if (readContents) await checkContents(list.file, extents, findings, take);
  await checkLastEnd(list, findings);
  await checkUnshifted(list, entries, limits, findings, { readContents, signal });
  return { file: list.file, entries, extents, isWhole: ended === "whole", digests };
}
