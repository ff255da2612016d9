import { Readable } from "node:stream";
import { constants, crc32, createInflateRaw } from "node:zlib";
import type { z } from "zod";
import { isObject, parseJson } from "../../../core/util/json.js";
import type { ArchiveFile } from "../../archive/archive-file.js";
import { rowSum } from "../format.js";
import { damage } from "./damage.js";
import { NEWLINE } from "./rows.js";

const SIGNATURE = Buffer.from("PK\x03\x04", "latin1");
const HEADER = 30;
const LONGEST_NAME = 512;
const HAS_DESCRIPTOR = 0x8;
const DESCRIPTOR = 0x08074b50;
const LARGE = 0xffffffff;
const WINDOW = 1024 * 1024;
/** What guideferry names entries with. */
const NAME = /^[A-Za-z0-9_%.-]+(?:\/[A-Za-z0-9_%.-]+)*$/;

/** Where an entry begins by its own header. */
interface Found {
  /** Where its header begins. */
  readonly at: number;
  readonly contentAt: number;
  readonly method: number;
  /** Of a content that is not packed. */
  readonly size: number;
  /** null: it stands behind the content. */
  readonly crc32: number | null;
}

/**
 * The entries of an archive that lost its list of entries, by what stands before each; whether the
 * bytes are right the caller has to see.
 */
export class SalvagedArchive {
  readonly #file: ArchiveFile;
  readonly #name: string;
  readonly #entries: ReadonlyMap<string, Found>;

  private constructor(file: ArchiveFile, name: string, entries: ReadonlyMap<string, Found>) {
    this.#file = file;
    this.#name = name;
    this.#entries = entries;
  }

  /** Reads the whole file once. */
  static async of(file: ArchiveFile, name: string): Promise<SalvagedArchive> {
    const entries = new Map<string, Found>();
    for (let at = 0; at < file.size; ) {
      // Windows overlap, so that no header is cut by their ends.
      const window = await file.bytesAt(at, WINDOW + HEADER + LONGEST_NAME);
      for (
        let place = window.indexOf(SIGNATURE);
        place >= 0 && place < WINDOW;
        place = window.indexOf(SIGNATURE, place + 1)
      ) {
        const [path, found] = headerAt(window, place, at) ?? [];
        if (path !== undefined && found !== undefined && !entries.has(path)) entries.set(path, found);
      }
      at += WINDOW;
    }
    return new SalvagedArchive(file, name, entries);
  }

  has(path: string): boolean {
    return this.#entries.has(path);
  }

  /** In the order in which they lie there. */
  paths(): IterableIterator<string> {
    return this.#entries.keys();
  }

  /**
   * What can be had of a damaged file of lines, in pieces: where packed bytes can't be unpacked,
   * from the next place on at which packing began anew. Nothing of it is checked, and between two
   * pieces something may be missing. Nothing where there is no such content.
   */
  async *remnants(path: string): AsyncGenerator<Buffer> {
    const found = this.#entries.get(path);
    if (found === undefined) return;
    const end = this.#endOf(found);
    if (found.method === 0) {
      yield* this.#file.pieces(found.contentAt, Math.min(end, found.contentAt + found.size));
      return;
    }
    // What a run lacks at its end must not run into the next one.
    for await (const run of runsOf(this.#file.pieces(found.contentAt, end))) {
      yield* inflatedAsFar(run);
      yield Buffer.from("\n");
    }
  }

  /** Where the next entry begins, or the file ends. */
  #endOf({ at }: Found): number {
    let end = this.#file.size;
    for (const other of this.#entries.values()) if (other.at > at && other.at < end) end = other.at;
    return end;
  }

  /**
   * The pieces of a content. Throws ArchiveError (exit 6) where the bytes end before it does, or
   * don't fit their checksum.
   */
  async *content(path: string): AsyncGenerator<Buffer> {
    const found = this.#entries.get(path);
    if (found === undefined) throw damage(`${path} is not in what is left of ${this.#name}.`);
    let checksum = 0;
    const pieces = found.method === 0 ? this.#stored(found) : this.#inflated(found);
    try {
      for await (const piece of pieces) {
        checksum = crc32(piece, checksum);
        yield piece;
      }
    } catch (cause) {
      throw damage(`${path} in what is left of ${this.#name} is damaged.`, cause);
    }
    if (found.crc32 !== null && found.crc32 !== checksum)
      throw damage(`${path} in what is left of ${this.#name} is damaged.`);
  }

  async *#stored({ contentAt, size }: Found): AsyncGenerator<Buffer> {
    let left = size;
    for await (const piece of this.#file.pieces(contentAt, contentAt + size)) {
      left -= piece.length;
      yield piece;
    }
    if (left > 0) throw new Error("it is cut off");
  }

  /** Packed bytes say themselves where they end; what follows there has their checksum. */
  async *#inflated({ contentAt, crc32: known }: Found): AsyncGenerator<Buffer> {
    let checksum = 0;
    const source = Readable.from(this.#file.pieces(contentAt, this.#file.size), { objectMode: false });
    const inflate = source.pipe(createInflateRaw());
    source.once("error", (error) => inflate.destroy(error));
    try {
      for await (const piece of inflate) {
        checksum = crc32(piece as Buffer, checksum);
        yield piece as Buffer;
      }
    } finally {
      source.destroy();
    }
    if (known === null && checksum !== (await this.#checksumAt(contentAt + inflate.bytesWritten))) {
      throw new Error("its checksum is another");
    }
  }

  async #checksumAt(at: number): Promise<number | undefined> {
    const bytes = await this.#file.bytesAt(at, 8);
    return bytes.length === 8 && bytes.readUInt32LE() === DESCRIPTOR ? bytes.readUInt32LE(4) : undefined;
  }
}

/**
 * What a full flush leaves at its end, on a whole byte: an empty block. What follows needs nothing
 * of what was before.
 */
const FLUSHED = Buffer.from([0x00, 0x00, 0xff, 0xff]);

/** Packed bytes from flush to flush. */
async function* runsOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    rest = Buffer.concat([rest, piece]);
    for (let at = rest.indexOf(FLUSHED); at >= 0; at = rest.indexOf(FLUSHED)) {
      yield rest.subarray(0, at + FLUSHED.length);
      rest = rest.subarray(at + FLUSHED.length);
    }
  }
  if (rest.length > 0) yield rest;
}

/** Given in small pieces, since what one of them brings is lost when it fails. */
const FED_AT_ONCE = 256;

/**
 * The bytes up to where unpacking fails, or to the end, as they come: the caller judges them line
 * by line.
 */
async function* inflatedAsFar(packed: Buffer): AsyncGenerator<Buffer> {
  const { Z_SYNC_FLUSH } = constants;
  const inflate = createInflateRaw({ flush: Z_SYNC_FLUSH, finishFlush: Z_SYNC_FLUSH });
  const ready: Buffer[] = [];
  inflate.on("data", (piece: Buffer) => ready.push(piece));
  // Where unpacking fails the stream closes, which ends the loop.
  inflate.on("error", () => undefined);
  const over = new Promise<void>((resolve) => inflate.once("close", resolve));
  const hasEnded = (): boolean => inflate.destroyed || inflate.readableEnded;
  try {
    for (const slice of slicesOf(packed)) {
      const written = new Promise<void>((resolve) => inflate.write(slice, () => resolve()));
      await Promise.race([written, over]);
      yield* ready.splice(0);
      if (hasEnded()) break;
    }
    inflate.end();
    await over;
    yield* ready.splice(0);
  } finally {
    inflate.destroy();
  }
}

function* slicesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += FED_AT_ONCE) yield bytes.subarray(at, at + FED_AT_ONCE);
}

function headerAt(window: Buffer, place: number, base: number): readonly [string, Found] | undefined {
  if (place + HEADER > window.length) return undefined;
  const [flags, method] = [window.readUInt16LE(place + 6), window.readUInt16LE(place + 8)];
  const [nameLength, extraLength] = [window.readUInt16LE(place + 26), window.readUInt16LE(place + 28)];
  if ((method !== 0 && method !== 8) || nameLength === 0 || nameLength > LONGEST_NAME) return undefined;
  const path = window.toString("latin1", place + HEADER, place + HEADER + nameLength);
  const size = window.readUInt32LE(place + 22);
  const isLater = (flags & HAS_DESCRIPTOR) !== 0;
  // A content that is not packed and does not say its length has no end that could be found.
  if (path.length < nameLength || !NAME.test(path) || (method === 0 && (isLater || size === LARGE))) return undefined;
  const contentAt = base + place + HEADER + nameLength + extraLength;
  return [path, { at: base + place, contentAt, method, size, crc32: isLater ? null : window.readUInt32LE(place + 14) }];
}

/** A row of what is left of a file of rows. */
interface RemainingRow<Row> {
  readonly row: Row;
  /** It fits its own checksum; false: rows of early versions have none. */
  readonly isProven: boolean;
}

/**
 * The rows of a damaged file that are as they were written, each by its own checksum, in the order
 * in which they lie there. Where no row has a checksum, as in
 * archives of early versions, everything that has the shape of a row.
 */
export async function* remainingRows<Row>(
  remains: SalvagedArchive,
  path: string,
  schema: z.ZodType<Row>,
): AsyncGenerator<RemainingRow<Row>> {
  let hasProven = false;
  for await (const { isProven } of rowsIn(remains, path, schema)) {
    hasProven = isProven;
    if (hasProven) break;
  }
  for await (const found of rowsIn(remains, path, schema)) if (found.isProven === hasProven) yield found;
}

async function* rowsIn<Row>(
  remains: SalvagedArchive,
  path: string,
  schema: z.ZodType<Row>,
): AsyncGenerator<RemainingRow<Row>> {
  for await (const line of linesOf(remains.remnants(path))) {
    const json = parseJson(line);
    const row = schema.safeParse(json);
    // A damaged line is looked for elsewhere.
    if (!isObject(json) || !row.success) continue;
    if (json["sum"] === undefined || json["sum"] === rowSum(json))
      yield { row: row.data, isProven: json["sum"] !== undefined };
  }
}

/**
 * Whole lines, and what is left of a line where something is missing: that is no row, which is seen
 * then.
 */
async function* linesOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    rest = Buffer.concat([rest, piece]);
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      yield rest.toString("utf8", 0, end);
      rest = rest.subarray(end + 1);
    }
  }
}
