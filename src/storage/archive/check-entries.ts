import { createHash } from "node:crypto";
import type { ArchiveFile } from "./archive-file.js";
import { ContentFault, contentAtOnce, contentOf, isSmall } from "./content.js";
import { checkHeaders, type Extent, readLocalHeader } from "./entry-headers.js";
import type { EntryList } from "./find-list.js";
import type { FindingList } from "./findings.js";
import type { ArchiveLimits } from "./limits.js";
import { type ListEnd, type ListedEntry, listedEntries } from "./read-list.js";

interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * Checks that every byte before the list of entries belongs to exactly one entry. With an encrypted
 * list, stray bytes are not checked.
 */
export async function checkLayout(
  list: EntryList,
  extents: readonly Extent[],
  ended: ListEnd,
  limits: ArchiveLimits,
  findings: FindingList,
): Promise<void> {
  checkOverlaps(list, extents, findings);
  const other = list.otherEnds.find((at) => at >= list.at || !isContent(at, extents));
  if (other !== undefined) {
    findings.add("E_ZIP_AMBIGUOUS", null, `it has another end record at byte ${other + list.prefix}`);
  }
  if (ended === "encrypted") return;
  const stray = strayStretches(list, extents);
  reportStray(list, stray, findings);
  const bytes = stray.reduce((sum, { from, to }) => sum + to - from, 0);
  if (bytes > limits.strayBytes) {
    if (ended === "damaged") return;
    const detail = `${bytes} bytes belong to no entry; these are too many to search for hidden entries`;
    findings.add("E_ZIP_AMBIGUOUS", null, detail);
    return;
  }
  for (const stretch of stray) {
    const at = await hiddenEntryIn(list.file, stretch);
    if (at === undefined) continue;
    findings.add(
      "E_ZIP_AMBIGUOUS",
      null,
      `it has an entry at byte ${at + list.prefix} that is not in the list of entries`,
    );
  }
}

/** A nested archive has an end record too. */
function isContent(at: number, extents: readonly Extent[]): boolean {
  return extents.some(({ contentAt, contentEnd }) => at >= contentAt && at < contentEnd);
}

function checkOverlaps(list: EntryList, extents: readonly Extent[], findings: FindingList): void {
  let last: Extent | undefined;
  for (const extent of extents) {
    if (last !== undefined && extent.at < last.end) {
      const shared = [extent.entry, last.entry] as const;
      findings.add("E_ZIP_OVERLAP", shared[0], `it shares bytes with "${shared[1].path}"`);
      findings.add("E_ZIP_OVERLAP", shared[1], `it shares bytes with "${shared[0].path}"`);
    }
    if (extent.end > list.at) {
      findings.add("E_ZIP_OVERLAP", extent.entry, "it overlaps the list of entries");
      findings.add("E_ZIP_CORRUPT", extent.entry, "by its size it ends after the beginning of the list of entries");
    }
    if (last === undefined || extent.end > last.end) last = extent;
  }
}

/** The bytes that belong to no entry, from the beginning of the file. */
function strayStretches(list: EntryList, extents: readonly Extent[]): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let reached = -list.prefix;
  for (const { at, end } of extents) {
    if (at > reached) stretches.push({ from: reached, to: at });
    reached = Math.max(reached, end);
  }
  if (list.at > reached) stretches.push({ from: reached, to: list.at });
  return stretches;
}

function reportStray(list: EntryList, stray: readonly Stretch[], findings: FindingList): void {
  const [first] = stray;
  const hasPrefix = first !== undefined && first.from === -list.prefix;
  if (hasPrefix)
    findings.add("W_ZIP_PREFIX_DATA", null, `it has ${first.to - first.from} bytes before its first entry`);
  const rest = hasPrefix ? stray.slice(1) : stray;
  const bytes = rest.reduce((sum, { from, to }) => sum + to - from, 0);
  if (rest.length > 0) findings.add("W_ZIP_GAP", null, `it has ${bytes} unused bytes between its entries`);
}

const ENTRY_HEADER = Buffer.from("PK\x03\x04", "latin1");
const HEADER_LENGTH = 30;
const METHODS: ReadonlySet<number> = new Set([0, 8, 9, 12, 14, 93, 95, 99]);

/** The position of a complete entry header in unused bytes; some programs would unpack it. */
async function hiddenEntryIn(file: ArchiveFile, { from, to }: Stretch): Promise<number | undefined> {
  const bytes = await file.bytesAt(from, to - from);
  for (let at = bytes.indexOf(ENTRY_HEADER); at >= 0; at = bytes.indexOf(ENTRY_HEADER, at + 1)) {
    if (at + HEADER_LENGTH > bytes.length) return undefined;
    const nameLength = bytes.readUInt16LE(at + 26);
    const isHeader = METHODS.has(bytes.readUInt16LE(at + 8)) && nameLength > 0;
    if (isHeader && at + HEADER_LENGTH + nameLength <= bytes.length) return from + at;
  }
  return undefined;
}

/**
 * Bytes before an archive shift the positions of its entries, and not every program corrects them.
 * If there are headers at the uncorrected positions too (two archives in one file), those programs
 * read other entries. Such an archive is refused, with the findings of those entries.
 */
export async function checkUnshifted(
  list: EntryList,
  entries: readonly ListedEntry[],
  limits: ArchiveLimits,
  findings: FindingList,
  { readContents, signal }: { readonly readContents: boolean; readonly signal: AbortSignal | undefined },
): Promise<void> {
  if (list.prefix === 0) return;
  const file = list.file.startingAt(0);
  if (!(await hasHeader(file, entries))) return;
  const detail = `it has entries at the positions counted from byte 0, and at those counted from byte ${list.prefix}`;
  findings.add("E_ZIP_AMBIGUOUS", null, detail);
  const noted = findings.prefixed("counted from byte 0: ");
  const whole: EntryList = { ...list, file, prefix: 0, at: list.at + list.prefix, otherEnds: [] };
  const extents = await checkHeaders(whole, entries, noted);
  await checkLayout(whole, extents, "whole", limits, noted);
  if (readContents) await checkContents(file, extents, noted, { signal });
}

async function hasHeader(file: ArchiveFile, entries: readonly ListedEntry[]): Promise<boolean> {
  for (const { at } of entries) if (typeof (await readLocalHeader(file, at, at)) !== "string") return true;
  return false;
}

/** The order that an archive with more entries than the limit must have. */
export interface EntryOrder {
  readonly entries: number;
  readonly listBytes: number;
  /**
   * The sort key of a path, in strictly ascending order. undefined: no such archive has an entry
   * with this path.
   */
  readonly sortedBy: (path: string) => string | undefined;
}

/** Entries that are checked together. */
const AT_ONCE = 4096;

/**
 * Checks an archive with ordered, adjacent entries and holds few of them in memory. The ascending
 * names replace the comparison of all names; the adjacency replaces the search for shared and stray
 * bytes. It ends with the first window of entries that has an error.
 */
export async function checkInOrder(
  list: EntryList,
  order: EntryOrder,
  limits: ArchiveLimits,
  findings: FindingList,
): Promise<void> {
  if (list.entryCount > order.entries || list.size > order.listBytes) {
    findings.add("E_ZIP_ENTRY_COUNT", null, `it has ${list.entryCount} entries; the limit is ${order.entries}`);
    return;
  }
  await new OrderedEntries(list, order, limits, findings).check();
}

class OrderedEntries {
  readonly #list: EntryList;
  readonly #order: EntryOrder;
  readonly #limits: ArchiveLimits;
  readonly #findings: FindingList;
  #last = "";
  #reached = 0;
  /** Unpacked bytes of all entries so far. */
  #total = 0;
  #otherEnds: readonly number[];

  constructor(list: EntryList, order: EntryOrder, limits: ArchiveLimits, findings: FindingList) {
    this.#list = list;
    this.#order = order;
    this.#limits = limits;
    this.#findings = findings;
    this.#otherEnds = list.otherEnds;
    this.#reached = -list.prefix;
  }

  async check(): Promise<void> {
    let window: ListedEntry[] = [];
    for await (const entry of listedEntries(this.#list, this.#limits, this.#findings)) {
      window.push(entry);
      if (window.length <= AT_ONCE) continue;
      // The position of the last one is the expected end of the one before it.
      await this.#checkWindow(window.slice(0, -1), entry.at);
      if (this.#findings.isRefused) return;
      window = [entry];
    }
    await this.#checkWindow(window, this.#list.at);
    if (this.#findings.isRefused) return;
    if (this.#reached !== this.#list.at) this.#refuse(null, "it has unused bytes before the list of entries");
    const [other] = this.#otherEnds;
    if (other !== undefined)
      this.#findings.add("E_ZIP_AMBIGUOUS", null, `it has another end record at byte ${other + this.#list.prefix}`);
  }

  async #checkWindow(entries: readonly ListedEntry[], next: number): Promise<void> {
    for (const entry of entries) this.#checkPlace(entry);
    checkTotal(this.#total, this.#list.file.size, this.#limits, this.#findings);
    if (this.#findings.isRefused) return;
    const extents = await checkHeaders({ ...this.#list, at: next }, entries, this.#findings);
    for (const extent of extents) this.#checkExtent(extent);
    if (!this.#findings.isRefused) await checkContents(this.#list.file, extents, this.#findings);
  }

  #checkPlace(entry: ListedEntry): void {
    const by = this.#order.sortedBy(entry.path);
    if (by === undefined || entry.isFolder || entry.path !== entry.rawName)
      this.#refuse(entry, "guideferry writes no entry with this name");
    else if (by <= this.#last) this.#refuse(entry, "it is not in the order that guideferry writes");
    this.#last = by ?? this.#last;
    this.#total += entry.size;
    checkSize(entry, this.#limits, this.#findings);
  }

  #checkExtent({ entry, at, contentAt, contentEnd, end }: Extent): void {
    if (at !== this.#reached) this.#refuse(entry, "it does not begin at the end of the previous entry");
    this.#reached = end;
    this.#otherEnds = this.#otherEnds.filter((place) => place < contentAt || place >= contentEnd);
  }

  #refuse(entry: ListedEntry | null, why: string): void {
    const { entryCount } = this.#list;
    const detail = `it has ${entryCount} entries, but only an archive as guideferry writes it may have more than ${this.#limits.entries}`;
    const where = entry === null ? why : `"${entry.path}": ${why}`;
    this.#findings.add("E_ZIP_ENTRY_COUNT", null, `${detail} (${where})`);
  }
}

/** Compares the declared sizes with the limits; the contents are compared with them later. */
export function checkSizes(
  entries: readonly ListedEntry[],
  archiveBytes: number,
  limits: ArchiveLimits,
  findings: FindingList,
): void {
  for (const entry of entries) checkSize(entry, limits, findings);
  const total = entries.reduce((sum, { size }) => sum + size, 0);
  checkTotal(total, archiveBytes, limits, findings);
}

function checkSize(entry: ListedEntry, limits: ArchiveLimits, findings: FindingList): void {
  const { size, packedSize } = entry;
  if (size > limits.entryBytes) {
    findings.add("E_ZIP_TOTAL_SIZE", entry, `it has ${size} bytes; the limit is ${limits.entryBytes}`);
  }
  if (size > limits.ratioFrom && size > limits.ratio * packedSize) {
    findings.add("E_ZIP_RATIO", entry, `its ${packedSize} bytes unpack to ${size}; the limit is ${limits.ratio} for 1`);
  }
}

function checkTotal(total: number, archiveBytes: number, limits: ArchiveLimits, findings: FindingList): void {
  if (total > limits.totalBytes) {
    findings.add("E_ZIP_TOTAL_SIZE", null, `it unpacks to ${total} bytes; the limit is ${limits.totalBytes}`);
  }
  if (total > limits.totalRatioFrom && total > limits.ratio * archiveBytes) {
    const detail = `its ${archiveBytes} bytes unpack to ${total}; the limit is ${limits.ratio} for 1`;
    findings.add("E_ZIP_RATIO", null, detail);
  }
}

interface ReadWith {
  /** Takes the sha256 of each content by its path. */
  readonly digests?: Map<string, string> | undefined;
  /** Its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}

/** Bytes of a piece of a large content that is not packed. */
const PIECE = 256 * 1024;

/**
 * Unpacks every content once and discards it. It skips contents that share bytes, that are declared
 * above the limits, or that can't be unpacked; so it never unpacks more than the limits allow, and
 * reads no byte twice.
 */
export async function checkContents(
  file: ArchiveFile,
  extents: readonly Extent[],
  findings: FindingList,
  { digests, signal }: ReadWith = {},
): Promise<void> {
  if (findings.isUnreadable(null)) return;
  const ahead = new ReadAhead(file, extents);
  let memory: Buffer | undefined;
  for (const [index, extent] of extents.entries()) {
    const { entry } = extent;
    if (findings.isUnreadable(entry)) continue;
    const hash = digests === undefined ? undefined : createHash("sha256");
    try {
      if (isSmall(entry)) {
        signal?.throwIfAborted();
        const content = contentAtOnce(await ahead.contentOf(index), entry);
        hash?.update(content);
      } else {
        memory ??= Buffer.allocUnsafe(PIECE);
        for await (const piece of contentOf(file, extent, memory)) {
          signal?.throwIfAborted();
          hash?.update(piece);
        }
      }
      if (hash !== undefined) digests?.set(entry.path, hash.digest("hex"));
    } catch (error) {
      if (!(error instanceof ContentFault)) throw error;
      for (const { code, message } of [error, ...error.others]) findings.add(code, entry, message);
    }
  }
}

/** Bytes of packed content for one read; each read is a task of another thread. */
const TOGETHER = 256 * 1024;
/** Bytes between two contents that are read together; usually only the header of the second. */
const DISTANCE = 4096;

/** Reads small contents; neighbouring ones in one read, into the same memory. */
class ReadAhead {
  readonly #file: ArchiveFile;
  readonly #extents: readonly Extent[];
  readonly #memory: Buffer;
  #at = 0;
  #filled: Buffer = Buffer.alloc(0);

  constructor(file: ArchiveFile, extents: readonly Extent[]) {
    this.#file = file;
    this.#extents = extents;
    this.#memory = Buffer.allocUnsafe(Math.min(TOGETHER, file.size));
  }

  /** The packed content of an extent, valid until the next call. Fewer bytes at the file's end. */
  async contentOf(index: number): Promise<Buffer> {
    const { contentAt = 0, contentEnd = 0 } = this.#extents[index] ?? {};
    const isInside = contentAt >= this.#at && contentEnd <= this.#at + this.#filled.length;
    if (!isInside) {
      this.#filled = await this.#file.readInto(this.#memory, contentAt, this.#reach(index, contentAt) - contentAt);
      this.#at = contentAt;
    }
    return this.#filled.subarray(contentAt - this.#at, contentEnd - this.#at);
  }

  /** The end of the last content that is read together with this one. */
  #reach(index: number, from: number): number {
    let reached = this.#extents[index]?.contentEnd ?? from;
    for (let at = index + 1; at < this.#extents.length; at += 1) {
      const { contentAt = 0, contentEnd = 0 } = this.#extents[at] ?? {};
      if (contentAt < reached || contentAt - reached > DISTANCE || contentEnd - from > TOGETHER) break;
      reached = contentEnd;
    }
    return reached;
  }
}
