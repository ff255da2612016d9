import { pipeline } from "node:stream/promises";
import { crc32, createDeflateRaw, deflateRawSync, type ZlibOptions } from "node:zlib";

/** Bytes given to `write` at once. */
const BLOCK = 256 * 1024;

const STORED = 0;
const DEFLATED = 8;
/** Flags: the sizes follow the content; the name is UTF-8. */
const SIZES_BEHIND = 1 << 3;
const UTF8 = 1 << 11;
/** Versions of the format that an entry needs, times ten. */
const FIRST = 10;
const DEFLATE = 20;
const ZIP64 = 45;
const MADE_BY_UNIX = (3 << 8) | ZIP64;
/** 1980-01-01 00:00, the earliest time: the bytes do not depend on when they are written. */
const DATE = 0x0021_0000;
/** A plain file with mode 0644. */
const ATTRIBUTES = (0o100_644 << 16) | 0x20;
/** Bytes of a header without its name, and of the sizes after a content; both at most. */
const LOCAL = 30;
const CENTRAL = 46;
const LARGE_FIELD = 28;
/** Where a header in the list has the length of its name, and that of its extra fields. */
const NAME_LENGTH = 28;
const FIELDS_LENGTH = 30;
const DESCRIPTOR = 24;
const LONGEST_NAME = 0xffff;
/** Bytes of the list of entries in one piece of memory. */
const LISTED_AT_ONCE = 64 * 1024;
/** In place of numbers that are in the zip64 record. */
const NO_SHORT = 0xffff;
const NO_LONG = 0xffff_ffff;

interface Entry {
  readonly name: Buffer;
  readonly offset: number;
  readonly method: number;
  readonly flags: number;
}

/** Bytes, and the CRC-32 of the unpacked ones. */
export interface Sizes {
  readonly checksum: number;
  readonly packed: number;
  readonly size: number;
}

/**
 * Gives the bytes of a zip archive (APPNOTE 6.3.10) to `write`, in order; their memory is used
 * again when `write` is done. The same calls give the same bytes, with the same build of Node.
 * After an error of `write` or of a content the writer is unusable.
 */
export class ZipWriter {
  readonly #write: (bytes: Buffer) => Promise<void>;
  readonly #block = Buffer.allocUnsafeSlow(BLOCK);
  #filled = 0;
  #passed = 0;
  /** Memory of the headers around one content: new memory for each costs more than writing it. */
  readonly #header = Buffer.allocUnsafeSlow(LOCAL + LONGEST_NAME);
  readonly #descriptor = Buffer.allocUnsafeSlow(DESCRIPTOR);
  readonly #list = new EntryList();

  constructor(write: (bytes: Buffer) => Promise<void>) {
    this.#write = write;
  }

  /** Stores a content unpacked, with its size before it, so that it is readable without seeking. */
  store(name: string, content: Buffer): Promise<void> | undefined {
    const sizes = { checksum: crc32(content), packed: content.length, size: content.length };
    return this.#add(this.#entry(name, STORED, false), content, sizes);
  }

  /** Deflates a small content on this thread. */
  deflate(name: string, content: Buffer, level: number): Promise<void> | undefined {
    // Memory of each call is freed late. Most texts pack to less than half; zlib takes more pieces
    // of memory for others.
    const chunkSize = Math.max(64, content.length >> 1);
    const packed = deflateRawSync(content, { level, chunkSize });
    const sizes = { checksum: crc32(content), packed: packed.length, size: content.length };
    return this.#add(this.#entry(name, DEFLATED, true), packed, sizes);
  }

  /** Deflates a content on another thread, piece by piece. */
  async deflateStream(
    name: string,
    content: AsyncIterable<Buffer> | Iterable<Buffer>,
    options: ZlibOptions,
  ): Promise<void> {
    const entry = this.#entry(name, DEFLATED, true);
    await this.#put(localHeader(this.#header, entry));
    await this.#end(entry, await deflateInto((piece) => this.#put(piece), content, options));
  }

  /** Adds the bytes that `deflateInto` gave. */
  async packed(name: string, pieces: AsyncIterable<Buffer>, sizes: Sizes): Promise<void> {
    const entry = this.#entry(name, DEFLATED, true);
    await this.#put(localHeader(this.#header, entry));
    for await (const piece of pieces) await this.#put(piece);
    await this.#end(entry, sizes);
  }

  async finish(): Promise<void> {
    const start = this.#offset;
    for (const piece of this.#list.pieces()) await this.#put(piece);
    await this.#put(endOf(this.#list.count, start, this.#offset - start));
    await this.#flush();
  }

  /** The names of all entries so far, in order, read from the list that ends the archive. */
  names(): Generator<string> {
    return this.#list.names();
  }

  get #offset(): number {
    return this.#passed + this.#filled;
  }

  #entry(name: string, method: number, hasSizesBehind: boolean): Entry {
    const bytes = Buffer.from(name);
    const flags = (bytes.length === name.length ? 0 : UTF8) | (hasSizesBehind ? SIZES_BEHIND : 0);
    return { name: bytes, offset: this.#offset, method, flags };
  }

  /** Mostly without a promise, since most entries are smaller than one costs. */
  #add(entry: Entry, content: Buffer, sizes: Sizes): Promise<void> | undefined {
    this.#list.add(entry, sizes);
    const header = localHeader(this.#header, entry, sizes);
    const isBehind = (entry.flags & SIZES_BEHIND) !== 0;
    if (this.#filled + header.length + content.length + DESCRIPTOR < BLOCK) {
      this.#hold(header);
      this.#hold(content);
      if (isBehind) this.#hold(descriptor(this.#descriptor, sizes));
      return undefined;
    }
    return this.#putAll([header, content, ...(isBehind ? [descriptor(this.#descriptor, sizes)] : [])]);
  }

  async #putAll(pieces: readonly Buffer[]): Promise<void> {
    for (const piece of pieces) await this.#put(piece);
  }

  async #end(entry: Entry, sizes: Sizes): Promise<void> {
    this.#list.add(entry, sizes);
    await this.#put(descriptor(this.#descriptor, sizes));
  }

  #put(bytes: Buffer): Promise<void> | undefined {
    if (this.#filled + bytes.length >= BLOCK) return this.#putPieces(bytes);
    this.#hold(bytes);
    return undefined;
  }

  #hold(bytes: Buffer): void {
    this.#filled += bytes.copy(this.#block, this.#filled);
  }

  async #putPieces(bytes: Buffer): Promise<void> {
    for (let from = 0; from < bytes.length; ) {
      const copied = bytes.copy(this.#block, this.#filled, from);
      from += copied;
      this.#filled += copied;
      if (this.#filled === BLOCK) await this.#flush();
    }
  }

  async #flush(): Promise<void> {
    if (this.#filled === 0) return;
    await this.#write(this.#block.subarray(0, this.#filled));
    this.#passed += this.#filled;
    this.#filled = 0;
  }
}

/** The list of entries at the end of an archive. */
class EntryList {
  readonly #full: Buffer[] = [];
  #last = Buffer.alloc(0);
  #filled = 0;
  count = 0;

  add(entry: Entry, sizes: Sizes): void {
    const length = CENTRAL + entry.name.length + LARGE_FIELD;
    if (this.#filled + length > this.#last.length) {
      this.#full.push(this.#last.subarray(0, this.#filled));
      this.#last = Buffer.allocUnsafeSlow(Math.max(LISTED_AT_ONCE, length));
      this.#filled = 0;
    }
    this.#filled += writeCentralHeader(this.#last.subarray(this.#filled), entry, sizes);
    this.count += 1;
  }

  *names(): Generator<string> {
    for (const piece of this.pieces())
      for (let at = 0; at < piece.length; ) {
        const end = at + CENTRAL + piece.readUInt16LE(at + NAME_LENGTH);
        yield piece.toString("utf8", at + CENTRAL, end);
        at = end + piece.readUInt16LE(at + FIELDS_LENGTH);
      }
  }

  *pieces(): Generator<Buffer> {
    yield* this.#full;
    yield this.#last.subarray(0, this.#filled);
  }
}

/** Deflates a content on another thread, and gives the packed bytes to `put`, in order. */
export async function deflateInto(
  put: (piece: Buffer) => Promise<unknown> | undefined,
  content: AsyncIterable<Buffer> | Iterable<Buffer>,
  options: ZlibOptions,
): Promise<Sizes> {
  let [checksum, packed, size] = [0, 0, 0];
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const piece of content) {
      checksum = crc32(piece, checksum);
      size += piece.length;
      yield piece;
    }
  }
  await pipeline(counted, createDeflateRaw(options), async (pieces: AsyncIterable<Buffer>) => {
    for await (const piece of pieces) {
      packed += piece.length;
      await put(piece);
    }
  });
  return { checksum, packed, size };
}

/** Without `sizes`, they are written after the content. In the memory of `header`. */
function localHeader(header: Buffer, entry: Entry, sizes?: Sizes): Buffer {
  const isKnown = sizes !== undefined && (entry.flags & SIZES_BEHIND) === 0;
  header.writeUInt32LE(0x0403_4b50, 0);
  writeShared(header, 4, entry, isKnown ? sizes : NO_SIZES, needed(entry));
  header.writeUInt16LE(0, LOCAL - 2);
  entry.name.copy(header, LOCAL);
  return header.subarray(0, LOCAL + entry.name.length);
}

const NO_SIZES: Sizes = { checksum: 0, packed: 0, size: 0 };

/**
 * Returns its length. If one number is too large for its field, all three are in the zip64 extra
 * field.
 */
function writeCentralHeader(header: Buffer, entry: Entry, sizes: Sizes): number {
  const { name, offset } = entry;
  const isLarge = Math.max(sizes.packed, sizes.size, offset) >= NO_LONG;
  header.fill(0, 0, CENTRAL);
  header.writeUInt32LE(0x0201_4b50, 0);
  header.writeUInt16LE(MADE_BY_UNIX, 4);
  const shown = isLarge ? { ...sizes, packed: NO_LONG, size: NO_LONG } : sizes;
  writeShared(header, 6, entry, shown, isLarge ? ZIP64 : needed(entry));
  header.writeUInt32LE(ATTRIBUTES >>> 0, 38);
  header.writeUInt32LE(isLarge ? NO_LONG : offset, 42);
  name.copy(header, CENTRAL);
  const at = CENTRAL + name.length;
  if (!isLarge) return at;
  header.writeUInt16LE(LARGE_FIELD, FIELDS_LENGTH);
  header.writeUInt16LE(1, at);
  header.writeUInt16LE(LARGE_FIELD - 4, at + 2);
  writeLong(header, sizes.size, at + 4);
  writeLong(header, sizes.packed, at + 12);
  writeLong(header, offset, at + 20);
  return at + LARGE_FIELD;
}

function needed({ method }: Entry): number {
  return method === DEFLATED ? DEFLATE : FIRST;
}

function writeShared(header: Buffer, at: number, { name, flags, method }: Entry, sizes: Sizes, version: number): void {
  header.writeUInt16LE(version, at);
  header.writeUInt16LE(flags, at + 2);
  header.writeUInt16LE(method, at + 4);
  header.writeUInt32LE(DATE, at + 6);
  header.writeUInt32LE(sizes.checksum, at + 10);
  header.writeUInt32LE(sizes.packed, at + 14);
  header.writeUInt32LE(sizes.size, at + 18);
  header.writeUInt16LE(name.length, at + 22);
}

/** In the memory of `bytes`. */
function descriptor(bytes: Buffer, { checksum, packed, size }: Sizes): Buffer {
  bytes.writeUInt32LE(0x0807_4b50, 0);
  bytes.writeUInt32LE(checksum, 4);
  if (Math.max(packed, size) >= NO_LONG) {
    writeLong(bytes, packed, 8);
    writeLong(bytes, size, 16);
    return bytes;
  }
  bytes.writeUInt32LE(packed, 8);
  bytes.writeUInt32LE(size, 12);
  return bytes.subarray(0, 16);
}

function endOf(count: number, start: number, length: number): Buffer {
  const isLarge = count >= NO_SHORT || Math.max(start, length) >= NO_LONG;
  const large = isLarge ? zip64End(count, start, length) : Buffer.alloc(0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x0605_4b50, 0);
  end.writeUInt16LE(isLarge ? NO_SHORT : count, 8);
  end.writeUInt16LE(isLarge ? NO_SHORT : count, 10);
  end.writeUInt32LE(isLarge ? NO_LONG : length, 12);
  end.writeUInt32LE(isLarge ? NO_LONG : start, 16);
  return Buffer.concat([large, end]);
}

function zip64End(count: number, start: number, length: number): Buffer {
  const bytes = Buffer.alloc(76);
  bytes.writeUInt32LE(0x0606_4b50, 0);
  writeLong(bytes, 44, 4);
  bytes.writeUInt16LE(ZIP64, 12);
  bytes.writeUInt16LE(ZIP64, 14);
  writeLong(bytes, count, 24);
  writeLong(bytes, count, 32);
  writeLong(bytes, length, 40);
  writeLong(bytes, start, 48);
  bytes.writeUInt32LE(0x0706_4b50, 56);
  writeLong(bytes, start + length, 64);
  bytes.writeUInt32LE(1, 72);
  return bytes;
}

function writeLong(bytes: Buffer, value: number, at: number): void {
  bytes.writeBigUInt64LE(BigInt(value), at);
}
