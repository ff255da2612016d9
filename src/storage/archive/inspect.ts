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

/** How an archive is looked at. */
export interface InspectOptions {
  /** Default: DEFAULT_LIMITS, each by itself. */
  readonly limits?: Partial<ArchiveLimits>;
  /**
   * Also unpack every content once, to nowhere, so that wrong checksums and sizes are known before
   * anything is written. Default: true. Without it they still end the stream that meets them.
   */
  readonly readContents?: boolean;
  /** Also take the sha256 of every content that is read. Default: false. */
  readonly hashContents?: boolean;
  /** Its reason is thrown where the contents are read. Default: none. */
  readonly signal?: AbortSignal;
  /**
   * Lets an archive have more entries than `limits.entries` when these stand in this order without
   * a byte between them; each is looked at and forgotten, contents too, so that the memory stays
   * the same. Such an inspection tells no entries. Default: no archive.
   */
  readonly order?: EntryOrder;
}

/** What was found in an archive. */
interface Inspection {
  /**
   * In the archive's own order, folders and what file managers left too; what could be read before
   * it had to stop.
   */
  readonly entries: readonly ListedEntry[];
  /** Errors first. Empty: nothing at all is wrong. */
  readonly findings: readonly Finding[];
  /** Findings beyond `limits.findings`. */
  readonly findingsLeft: number;
  /** Is one of the findings an error? Then nothing of the archive may be used. */
  readonly isRefused: boolean;
}

/** An inspection with what it takes to read the contents. */
export interface ReadableInspection extends Inspection {
  readonly file: ArchiveFile;
  readonly extents: readonly Extent[];
  /** Could the list of entries be read to its end? */
  readonly isWhole: boolean;
  /** sha256 of the contents by path, in lower-case hexadecimal; empty unless it was asked for. */
  readonly digests: ReadonlyMap<string, string>;
}

/**
 * Looks at a zip archive with everything that section 3.1 of the specification of training modules
 * asks for (rows transport and names), and writes nothing. All findings come at once. A handle
 * given stays open. Throws ArchiveError when the file can't be read at all.
 */
export async function inspectArchive(archive: string | FileHandle, options: InspectOptions = {}): Promise<Inspection> {
  return withArchive(archive, async (handle, bytes) => {
    const { entries, findings, findingsLeft, isRefused } = await inspectFile(handle, bytes, options);
    return { entries, findings, findingsLeft, isRefused };
  });
}

/**
 * The same for a file that is open already, or is decrypted as it is read. Throws what reading it
 * throws.
 */
export async function inspectFile(
  handle: ByteReader,
  bytes: number,
  options: InspectOptions,
): Promise<ReadableInspection> {
  const limits: ArchiveLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const findings = new FindingList(limits.findings);
  const looked = await look(new ArchiveFile(handle, bytes), limits, findings, options);
  return { ...looked, findings: findings.all, findingsLeft: findings.left, isRefused: findings.isRefused };
}

/** The least that an entry takes in the list (APPNOTE 4.3.12). */
const LIST_ENTRY_LENGTH = 46;

type Looked = Pick<ReadableInspection, "file" | "entries" | "extents" | "isWhole" | "digests">;

async function look(
  file: ArchiveFile,
  limits: ArchiveLimits,
  findings: FindingList,
  { readContents = true, hashContents = false, signal, order }: InspectOptions,
): Promise<Looked> {
  const nothing: Looked = { file, entries: [], extents: [], isWhole: false, digests: new Map() };
  if (file.size > limits.archiveBytes) {
    findings.add("E_ZIP_TOTAL_SIZE", null, `the file has ${file.size} bytes, the limit is ${limits.archiveBytes}`);
    return nothing;
  }
  const list = await findList(file, findings);
  if (list === undefined) return nothing;
  if (list.entryCount > limits.entries && order !== undefined) {
    await checkInOrder(list, order, limits, findings);
    return nothing;
  }
  if (list.entryCount > limits.entries) {
    findings.add("E_ZIP_ENTRY_COUNT", null, `it has ${list.entryCount} entries, the limit is ${limits.entries}`);
    if (list.entryCount > list.size / LIST_ENTRY_LENGTH)
      findings.add("E_ZIP_CORRUPT", null, `so many have no place in a list of ${list.size} bytes`);
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
