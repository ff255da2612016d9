import { ArchiveError, EXIT } from "../../../core/errors.js";
import { ArchiveFile } from "../../archive/archive-file.js";
import type { EntryOrder } from "../../archive/check-entries.js";
import { ContentFault, contentOf } from "../../archive/content.js";
import { diskError } from "../../archive/disk-error.js";
import { type ContentPlace, findContent } from "../../archive/entry-headers.js";
import { END_RECORD, type EntryList, findList } from "../../archive/find-list.js";
import { type Finding, FindingList, refusal } from "../../archive/findings.js";
import { inspectFile } from "../../archive/inspect.js";
import type { ArchiveLimits } from "../../archive/limits.js";
import type { ListedEntry } from "../../archive/read-list.js";
import type { ByteSource, RepositoryStorage } from "../files/repository-storage.js";
import { parseArchiveName } from "../names.js";
import type { ByteRange } from "../repository.js";
import { ageRemains, ageSource, beginsAsAge } from "./byte-source.js";
import { contentPart, storedPart } from "./contents.js";
import { damage, isDamage } from "./damage.js";
import type { RepositoryKeys } from "./repository-keys.js";
import { SalvagedArchive } from "./salvage.js";

const TIB = 1024 ** 4;

/**
 * An export holds a whole site, perhaps with large files of blank drawings: the ratio is limited
 * for the whole archive only. More entries than the usual limit are allowed only in ORDER.
 */
const LIMITS: Partial<ArchiveLimits> = {
  archiveBytes: 8 * TIB,
  entryBytes: TIB,
  totalBytes: 8 * TIB,
  ratioFrom: Number.POSITIVE_INFINITY,
};

/** The order of docs/design/repository.md, "An archive". */
const ORDER: EntryOrder = {
  entries: 1_000_000,
  listBytes: 256 * 1024 * 1024,
  sortedBy: (path) => {
    const place = PLACES.findIndex((form) => form.test(path));
    return place < 0 ? undefined : `${place} ${path}`;
  },
};

const PLACES = [
  /^README\.txt$/,
  /^items\/[a-z-]+\/[0-9a-f]{2}\/[A-Za-z0-9_%-]+\.json$/,
  /^media\/[0-9a-f]{2}\/[0-9a-f]{64}(?:\.[A-Za-z0-9_]+)?$/,
  /^items\.ndjson$/,
  /^media\.ndjson$/,
  /^manifest\.json$/,
];

/** Applies the guard of `src/storage/archive` once to each archive from outside a repository. */
export class ArchiveGuard {
  readonly #passed = new Map<string, readonly Finding[]>();

  /**
   * Throws ArchiveError (exit 6) with all findings for a refused archive, and errors of `source`.
   */
  async pass(source: ByteSource, at: string, name: string): Promise<void> {
    if (this.#passed.has(name)) return;
    const inspection = await inspectFile(source, source.bytes, { limits: LIMITS, order: ORDER });
    if (inspection.isRefused) {
      const { message, findings } = refusal(at, inspection);
      throw new ArchiveError(message, { findings, exitCode: EXIT.differences });
    }
    this.#passed.set(name, inspection.findings);
  }

  findings(name: string): readonly Finding[] {
    return this.#passed.get(name) ?? [];
  }
}

/** Bytes. guideferry never writes a longer list, not even with a million entries. */
const LONGEST_LIST = ORDER.listBytes;

/** An open archive of a repository: its list of entries, and its contents by path. */
export interface OpenedArchive {
  readonly name: string;
  readonly entries: EntryTable;
  /** Throws ArchiveError (exit 6) for a missing or damaged content. */
  content(path: string): AsyncGenerator<Buffer>;
  /** A range of a content, unchecked; fewer bytes if the content is too short. */
  part(path: string, range: ByteRange): AsyncGenerator<Buffer>;
  /** The same in one Buffer; undefined: it is too long, or packed. */
  partAtOnce(path: string, range: ByteRange): Promise<Buffer | undefined>;
  close(): Promise<void>;
}

/**
 * Opens an archive by its list of entries. Local headers are only read for requested contents, so
 * that little of an encrypted archive is decrypted. `guard` is applied first. `file`: the file with
 * its bytes, if that has another name. Throws ArchiveError (exit 6) when it is missing, damaged or
 * refused, UsageError when no key fits.
 */
export async function openRepositoryArchive(
  storage: RepositoryStorage,
  name: string,
  keys: RepositoryKeys,
  guard?: ArchiveGuard,
  file: string = name,
): Promise<OpenedArchive> {
  const source = await openSource(storage, { name, file }, keys);
  try {
    await guard?.pass(source, storage.at(name), name);
    const list = await readEntryList(source, name);
    const entries = await readTable(list, name);
    const contents: Contents = { name, entries, file: list.file, last: null };
    return {
      name,
      entries,
      content: (path) => contentAt(contents, path, (place) => contentOf(list.file, place)),
      part: (path, range) => contentAt(contents, path, (place) => contentPart(list.file, place, range), range.end),
      partAtOnce: async (path, range) => {
        try {
          return await storedPart(list.file, await placeOf(contents, path, range.end), range);
        } catch (error) {
          throw faultOf(error, contents, path);
        }
      },
      close: () => source.close(),
    };
  } catch (error) {
    await source.close();
    throw diskError(error, `reading ${storage.at(file)}`);
  }
}

/**
 * Opens an archive with an unreadable list of entries: contents are found by their local headers.
 * Reads the whole file. Throws as `openRepositoryArchive` when nothing can be read.
 */
export async function salvageArchive(
  storage: RepositoryStorage,
  name: string,
  keys: RepositoryKeys,
  file: string = name,
): Promise<{ readonly remains: SalvagedArchive; readonly close: () => Promise<void> }> {
  const source = await openSource(storage, { name, file }, keys, ageRemains);
  try {
    const remains = await SalvagedArchive.of(new ArchiveFile(source, source.bytes), name);
    return { remains, close: () => source.close() };
  } catch (error) {
    await source.close();
    throw diskError(error, `reading ${storage.at(file)}`);
  }
}

async function openSource(
  storage: RepositoryStorage,
  { name, file: at }: { readonly name: string; readonly file: string },
  keys: RepositoryKeys,
  decrypted: typeof ageSource = ageSource,
): Promise<ByteSource> {
  if (/[/\\\0]/.test(name))
    throw damage(`A row names the archive ${JSON.stringify(name)}, which cannot be a file in ${storage.address}.`);
  const file = await storage.open(at);
  if (file === undefined) throw damage(`${name} is missing in ${storage.address}.`);
  try {
    return (await isEncrypted(file, name)) ? await decrypted(file, name, keys) : file;
  } catch (error) {
    await file.close();
    throw diskError(error, `reading ${storage.at(at)}`);
  }
}

/** By its name, or, since an export may have any name, by its first bytes. */
async function isEncrypted(file: ByteSource, name: string): Promise<boolean> {
  const known = parseArchiveName(name);
  return known?.encrypted ?? (/\.age$/i.test(name) || (await beginsAsAge(file)));
}

async function readEntryList(source: ByteSource, name: string): Promise<EntryList> {
  const plain = await plainList(source);
  if (plain !== undefined) return plain;
  const findings = new FindingList(1);
  const list = await findList(new ArchiveFile(source, source.bytes), findings);
  const [found] = findings.all;
  if (list !== undefined && found === undefined) return list;
  throw damage(`${name} is damaged: ${found?.detail ?? "it has no list of entries"}.`);
}

async function readTable({ file, at, size, entryCount }: EntryList, name: string): Promise<EntryTable> {
  if (size > LONGEST_LIST)
    throw damage(`${name} is damaged: its list of entries has ${size} bytes; the limit is ${LONGEST_LIST}.`);
  // A copy, because a part of a window keeps the whole window in memory.
  const list = Buffer.from(await file.bytesAt(at, size));
  try {
    return new EntryTable(list, entryCount);
  } catch (cause) {
    throw damage(`${name} is damaged.`, cause);
  }
}

interface Contents {
  readonly name: string;
  readonly entries: EntryTable;
  readonly file: ArchiveFile;
  /** The content that was found last, since its parts are usually read in sequence. */
  last: ContentPlace | null;
}

async function* contentAt(
  contents: Contents,
  path: string,
  read: (place: ContentPlace) => AsyncGenerator<Buffer>,
  wanted = Number.POSITIVE_INFINITY,
): AsyncGenerator<Buffer> {
  try {
    yield* read(await placeOf(contents, path, wanted));
  } catch (error) {
    throw faultOf(error, contents, path);
  }
}

/** The error of the disk or of a damaged content as an ArchiveError. */
function faultOf(error: unknown, { name }: Contents, path: string): unknown {
  if (error instanceof ContentFault) return damage(`${path} in ${name} is damaged.`, error);
  return isDamage(error) ? error : diskError(error, `reading ${name}`);
}

function findEntry({ entries, name }: Contents, path: string): ListedEntry {
  try {
    const entry = entries.find(path);
    if (entry !== undefined) return entry;
  } catch (cause) {
    throw damage(`${name} is damaged.`, cause);
  }
  throw damage(`${path} is not in ${name}.`);
}

/** By its local header, without comparing it with the list: the sha256 proves the content. */
async function placeOf(contents: Contents, path: string, wanted: number): Promise<ContentPlace> {
  if (contents.last?.entry.path === path) return contents.last;
  const entry = findEntry(contents, path);
  const place = await findContent(contents.file, entry, Math.min(wanted, entry.packedSize));
  if (typeof place === "string") throw damage(`${path} in ${contents.name} is damaged: ${place}.`);
  contents.last = place;
  return place;
}

const SIGNATURE = 0x02014b50;
const HEADER = 46;
const LARGE = 0xffffffff;
const ENCRYPTED = 0x2041;

/**
 * The list of entries of an archive that guideferry wrote, in its packed form: a repository opens
 * hundreds of archives in turn for a few entries each, so an entry is only decoded when it is
 * requested. It accepts only what guideferry writes: ASCII names, deflate or no packing, each name
 * once. Names are only compared, never written to a disk.
 */
export class EntryTable {
  readonly #list: Buffer;
  /** The positions of the entries, sorted by name. */
  readonly #sorted: Uint32Array;
  /** The number of the entry that was found last. */
  #found = -1;

  /** Throws Error with the reason, without a full stop. */
  constructor(list: Buffer, count: number) {
    this.#list = list;
    const { places, isSorted } = this.#walk(count);
    this.#sorted = isSorted ? Uint32Array.from(places) : this.#inOrder(places);
  }

  get count(): number {
    return this.#sorted.length;
  }

  get bytes(): number {
    return this.#list.length + this.#sorted.byteLength;
  }

  find(path: string): ListedEntry | undefined {
    const place = this.#place(path);
    return place === undefined ? undefined : this.#entry(place);
  }

  /** Bytes of an unpacked content. */
  sizeOf(path: string): number | undefined {
    const place = this.#place(path);
    if (place === undefined) return undefined;
    this.#expectOwn(place);
    return this.#numbers(place).size;
  }

  /** The entries below a folder, `media/`, by name. Throws Error as the constructor. */
  *below(folder: string): IterableIterator<ListedEntry> {
    const wanted = Buffer.from(folder);
    for (let at = this.#seek(wanted); at < this.#sorted.length; at += 1) {
      const place = this.#sorted[at] ?? 0;
      if (!this.#name(place).subarray(0, wanted.length).equals(wanted)) return;
      yield this.#entry(place);
    }
  }

  countBelow(folder: string): number {
    const wanted = Buffer.from(folder);
    let count = 0;
    for (const at of this.#sorted) if (this.#name(at).subarray(0, wanted.length).equals(wanted)) count += 1;
    return count;
  }

  *[Symbol.iterator](): IterableIterator<ListedEntry> {
    for (const at of this.#sorted) yield this.#entry(at);
  }

  /** `isSorted`: each name comes after the one before it, as in the parts of a snapshot. */
  #walk(count: number): { readonly places: readonly number[]; readonly isSorted: boolean } {
    const list = this.#list;
    const places: number[] = [];
    let at = 0;
    let isSorted = true;
    for (let number = 1; number <= count; number += 1) {
      const fits = at + HEADER <= list.length && list.readUInt32LE(at) === SIGNATURE;
      const end = fits ? at + HEADER + this.#lengthsAt(at) : 0;
      if (!fits || end > list.length) throw new Error(`entry ${number} of ${count} in its list of entries is damaged`);
      isSorted &&= places.length === 0 || this.#order(places.at(-1) ?? 0, at) < 0;
      places.push(at);
      at = end;
    }
    if (at !== list.length)
      throw new Error(`its ${count} entries have ${at} bytes in the list, which has ${list.length} bytes`);
    return { places, isSorted };
  }

  #lengthsAt(at: number): number {
    return this.#uint16(at + 28) + this.#uint16(at + 30) + this.#uint16(at + 32);
  }

  /** Few calls are made, so the code is not optimized, and `readUInt16LE` takes thrice as long. */
  #uint16(at: number): number {
    return (this.#list[at] ?? 0) + (this.#list[at + 1] ?? 0) * 256;
  }

  #inOrder(places: readonly number[]): Uint32Array {
    const sorted = Uint32Array.from(places.toSorted((one, other) => this.#order(one, other)));
    for (let index = 1; index < sorted.length; index += 1) {
      const [before, after] = [sorted[index - 1] ?? 0, sorted[index] ?? 0];
      if (this.#order(before, after) !== 0) continue;
      throw new Error(`two entries have the name ${JSON.stringify(this.#name(after).toString("latin1"))}`);
    }
    return sorted;
  }

  #place(path: string): number | undefined {
    const wanted = Buffer.from(path);
    // Rows of media are in the order of their entries.
    const next = this.#found + 1;
    const isNext = next < this.#sorted.length && this.#compare(next, wanted) === 0;
    const at = isNext ? next : this.#seek(wanted);
    if (at >= this.#sorted.length || (!isNext && this.#compare(at, wanted) !== 0)) return undefined;
    this.#found = at;
    return this.#sorted[at];
  }

  /** The number of the first entry whose name does not come before this one. */
  #seek(wanted: Buffer): number {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(middle, wanted) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * Compares the name of the entry with this number with another name. In a loop, because a call of
   * Buffer.compare takes longer than the few bytes that are compared.
   */
  #compare(index: number, wanted: Buffer): number {
    const list = this.#list;
    const at = (this.#sorted[index] ?? 0) + HEADER;
    const length = list.readUInt16LE(at - HEADER + 28);
    const shorter = Math.min(length, wanted.length);
    for (let byte = 0; byte < shorter; byte += 1) {
      const difference = (list[at + byte] ?? 0) - (wanted[byte] ?? 0);
      if (difference !== 0) return difference;
    }
    return length - wanted.length;
  }

  /** By name. In a loop, as `#compare`. */
  #order(one: number, other: number): number {
    const list = this.#list;
    const [length, otherLength] = [this.#uint16(one + 28), this.#uint16(other + 28)];
    const shorter = Math.min(length, otherLength);
    for (let byte = HEADER; byte < HEADER + shorter; byte += 1) {
      const difference = (list[one + byte] ?? 0) - (list[other + byte] ?? 0);
      if (difference !== 0) return difference;
    }
    return length - otherLength;
  }

  #name(at: number): Buffer {
    return this.#list.subarray(at + HEADER, at + HEADER + this.#list.readUInt16LE(at + 28));
  }

  /** Throws Error for an entry that guideferry does not write. */
  #entry(at: number): ListedEntry {
    const list = this.#list;
    const name = this.#name(at).toString("latin1");
    const { method, flags } = this.#expectOwn(at);
    return {
      path: name,
      spelling: name,
      rawName: name,
      isFolder: false,
      isJunk: false,
      method,
      flags,
      crc32: list.readUInt32LE(at + 16),
      ...this.#numbers(at),
    };
  }

  /** Throws Error for an entry that guideferry does not write. */
  #expectOwn(at: number): Pick<ListedEntry, "method" | "flags"> {
    const [method, flags] = [this.#list.readUInt16LE(at + 10), this.#list.readUInt16LE(at + 8)];
    if ((method === 0 || method === 8) && (flags & ENCRYPTED) === 0) return { method, flags };
    const name = this.#name(at).toString("latin1");
    throw new Error(`${name} is packed by a method that guideferry does not write`);
  }

  /** With the zip64 field (APPNOTE 4.5.3), which only has the numbers that are too large. */
  #numbers(at: number): Pick<ListedEntry, "size" | "packedSize" | "at"> {
    const list = this.#list;
    const plain = [list.readUInt32LE(at + 24), list.readUInt32LE(at + 20), list.readUInt32LE(at + 42)] as const;
    if (!plain.includes(LARGE)) return { size: plain[0], packedSize: plain[1], at: plain[2] };
    const field = this.#zip64(at);
    let used = 0;
    const [size, packedSize, place] = plain.map((number) => {
      if (number !== LARGE) return number;
      if (used + 8 > field.length) throw new Error("the sizes of an entry are missing");
      used += 8;
      return Number(field.readBigUInt64LE(used - 8));
    });
    return { size: size ?? 0, packedSize: packedSize ?? 0, at: place ?? 0 };
  }

  #zip64(at: number): Buffer {
    const list = this.#list;
    const from = at + HEADER + list.readUInt16LE(at + 28);
    const fields = list.subarray(from, from + list.readUInt16LE(at + 30));
    for (let position = 0; position + 4 <= fields.length; ) {
      const end = position + 4 + fields.readUInt16LE(position + 2);
      if (fields.readUInt16LE(position) === 1) return fields.subarray(position + 4, end);
      position = end;
    }
    return Buffer.alloc(0);
  }
}

const LENGTH = 22;
const LOCATOR = 20;
const ZIP64_LOCATOR = 0x07064b50;

/**
 * The fast case of `findList`: an end record without a comment directly after the list. undefined:
 * another case, such as an archive of more than 4 GiB or a damaged one.
 */
async function plainList(source: ByteSource): Promise<EntryList | undefined> {
  const length = Math.min(source.bytes, LOCATOR + LENGTH);
  const end = Buffer.alloc(length);
  const { bytesRead } = await source.read(end, 0, length, source.bytes - length);
  if (bytesRead < LOCATOR + LENGTH || end.readUInt32LE(LOCATOR) !== END_RECORD) return undefined;
  if (end.readUInt32LE(0) === ZIP64_LOCATOR || end.readUInt16LE(LOCATOR + 20) !== 0) return undefined;
  const [here, entryCount] = [end.readUInt16LE(LOCATOR + 8), end.readUInt16LE(LOCATOR + 10)];
  const [size, at] = [end.readUInt32LE(LOCATOR + 12), end.readUInt32LE(LOCATOR + 16)];
  if (here !== entryCount || entryCount === 0 || at + size !== source.bytes - LENGTH) return undefined;
  return { file: new ArchiveFile(source, source.bytes), prefix: 0, at, size, entryCount, otherEnds: [] };
}
