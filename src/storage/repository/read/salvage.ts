import { Readable } from "node:stream";
import { constants, crc32, createInflateRaw } from "node:zlib";
import type { z } from "zod";
import { isObject, parseJson } from "../../../core/util/json.js";
import type { ArchiveFile } from "../../archive/archive-file.js";
import { rowSum } from "../format.js";
import { damage } from "./damage.js";
import { MOST_ROW_BYTES, NEWLINE } from "./rows.js";

const SIGNATURE = Buffer.from("PK\x03\x04", "latin1");
const HEADER = 30;
const LONGEST_NAME = 512;
const HAS_DESCRIPTOR = 0x8;
const DESCRIPTOR = 0x08074b50;
const LARGE = 0xffffffff;
const WINDOW = 1024 * 1024;
/** The names that guideferry writes. */
const NAME = /^[A-Za-z0-9_%.-]+(?:\/[A-Za-z0-9_%.-]+)*$/;

/** An entry by its local header. */
interface Found {
  readonly at: number;
  readonly contentAt: number;
  readonly method: number;
  /** Only known if the content is not packed. */
  readonly size: number;
  /** null: it follows the content. */
  readonly crc32: number | null;
}

/**
 * The entries of an archive without a readable list of entries, found by their local headers. The
 * caller has to check the bytes.
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
      // Windows overlap, so that each header is completely in one.
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

  /** The position of an entry in the file. */
  startOf(path: string): number | undefined {
    return this.#entries.get(path)?.at;
  }

  /** In the order of the file. */
  paths(): IterableIterator<string> {
    return this.#entries.keys();
  }

  /**
   * The readable bytes of a damaged file of lines, unchecked. After a byte that can't be unpacked,
   * it continues at the next full flush, so bytes may be missing between two pieces. Empty if there
   * is no such content.
   */
  async *remnants(path: string): AsyncGenerator<Buffer> {
    const found = this.#entries.get(path);
    if (found === undefined) return;
    const end = this.#endOf(found);
    if (found.method === 0) {
      yield* this.#file.pieces(found.contentAt, Math.min(end, found.contentAt + found.size));
      return;
    }
    yield* readableRuns(this.#file.pieces(found.contentAt, end));
  }

  /** The beginning of the next entry, or the end of the file. */
  #endOf({ at }: Found): number {
    let end = this.#file.size;
    for (const other of this.#entries.values()) if (other.at > at && other.at < end) end = other.at;
    return end;
  }

  /**
   * The pieces of a content. Throws ArchiveError (exit 6) for missing bytes or a wrong checksum.
   */
  async *content(path: string): AsyncGenerator<Buffer> {
    const found = this.#entries.get(path);
    if (found === undefined) throw damage(`${path} is not in the readable part of ${this.#name}.`);
    let checksum = 0;
    const pieces = found.method === 0 ? this.#stored(found) : this.#inflated(found);
    try {
      for await (const piece of pieces) {
        checksum = crc32(piece, checksum);
        yield piece;
      }
    } catch (cause) {
      throw damage(`${path} in the readable part of ${this.#name} is damaged.`, cause);
    }
    if (found.crc32 !== null && found.crc32 !== checksum)
      throw damage(`${path} in the readable part of ${this.#name} is damaged.`);
  }

  async *#stored({ contentAt, size }: Found): AsyncGenerator<Buffer> {
    let left = size;
    for await (const piece of this.#file.pieces(contentAt, contentAt + size)) {
      left -= piece.length;
      yield piece;
    }
    if (left > 0) throw new Error("it is cut off");
  }

  /** Packed bytes have an end mark, which the checksum follows. */
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
      throw new Error("its checksum is different");
    }
  }

  async #checksumAt(at: number): Promise<number | undefined> {
    const bytes = await this.#file.bytesAt(at, 8);
    return bytes.length === 8 && bytes.readUInt32LE() === DESCRIPTOR ? bytes.readUInt32LE(4) : undefined;
  }
}

/** The end of a full flush: an empty block. The bytes after it can be unpacked alone. */
const FLUSHED = Buffer.from([0x00, 0x00, 0xff, 0xff]);

/**
 * The bytes of each run between two full flushes, up to the first one that can't be unpacked. A
 * line feed after each run keeps an incomplete line apart from the next run. Archives of early
 * versions have one run of any length.
 */
async function* readableRuns(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let run = new Run();
  let rest: Buffer = Buffer.alloc(0);
  try {
    for await (const piece of pieces) {
      rest = Buffer.concat([rest, piece]);
      for (let at = rest.indexOf(FLUSHED); at >= 0; at = rest.indexOf(FLUSHED)) {
        yield* run.add(rest.subarray(0, at + FLUSHED.length));
        yield* run.end();
        run = new Run();
        rest = rest.subarray(at + FLUSHED.length);
      }
      // The last bytes may be the beginning of a flush.
      const most = Math.max(0, rest.length - FLUSHED.length + 1);
      yield* run.add(rest.subarray(0, most));
      rest = rest.subarray(most);
    }
    yield* run.add(rest);
    yield* run.end();
  } finally {
    run.close();
  }
}

/** Bytes unpacked at once: those of the failing piece are lost. */
const FED_AT_ONCE = 256;

/** Unpacks the bytes of a run as far as possible. */
class Run {
  readonly #inflate = createInflateRaw({ flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH });
  readonly #ready: Buffer[] = [];
  readonly #closed = new Promise<void>((resolve) => this.#inflate.once("close", resolve));

  constructor() {
    this.#inflate.on("data", (piece: Buffer) => this.#ready.push(piece));
    // After an error the stream closes, and the rest of the run is ignored.
    this.#inflate.on("error", () => undefined);
  }

  async *add(packed: Buffer): AsyncGenerator<Buffer> {
    for (let at = 0; at < packed.length; at += FED_AT_ONCE) {
      if (this.#inflate.destroyed || this.#inflate.readableEnded) return;
      const slice = packed.subarray(at, at + FED_AT_ONCE);
      const written = new Promise<void>((resolve) => this.#inflate.write(slice, () => resolve()));
      await Promise.race([written, this.#closed]);
      yield* this.#ready.splice(0);
    }
  }

  async *end(): AsyncGenerator<Buffer> {
    this.#inflate.end();
    await this.#closed;
    yield* this.#ready.splice(0);
    yield Buffer.from("\n");
  }

  close(): void {
    this.#inflate.destroy();
  }
}

function headerAt(window: Buffer, place: number, base: number): readonly [string, Found] | undefined {
  if (place + HEADER > window.length) return undefined;
  const [flags, method] = [window.readUInt16LE(place + 6), window.readUInt16LE(place + 8)];
  const [nameLength, extraLength] = [window.readUInt16LE(place + 26), window.readUInt16LE(place + 28)];
  if ((method !== 0 && method !== 8) || nameLength === 0 || nameLength > LONGEST_NAME) return undefined;
  const path = window.toString("latin1", place + HEADER, place + HEADER + nameLength);
  const size = window.readUInt32LE(place + 22);
  const isLater = (flags & HAS_DESCRIPTOR) !== 0;
  // The end of an unpacked content without a size can't be found.
  if (path.length < nameLength || !NAME.test(path) || (method === 0 && (isLater || size === LARGE))) return undefined;
  const contentAt = base + place + HEADER + nameLength + extraLength;
  return [path, { at: base + place, contentAt, method, size, crc32: isLater ? null : window.readUInt32LE(place + 14) }];
}

interface RemainingRow<Row> {
  readonly row: Row;
  /** It matches its checksum; false: a row of an early version has none. */
  readonly isProven: boolean;
}

/**
 * The intact rows of a damaged file, by their checksums, in the order of the file. If no row has a
 * checksum, as in early versions: everything with the shape of a row.
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
    // The caller looks for damaged rows in other places.
    if (!isObject(json) || !row.success) continue;
    if (json["sum"] === undefined || json["sum"] === rowSum(json))
      yield { row: row.data, isProven: json["sum"] !== undefined };
  }
}

/** Lines, complete or cut, without those that are too long for a row. */
async function* linesOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  let isTooLong = false;
  for await (const piece of pieces) {
    rest = isTooLong ? piece : Buffer.concat([rest, piece]);
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      if (!isTooLong) yield rest.toString("utf8", 0, end);
      isTooLong = false;
      rest = rest.subarray(end + 1);
    }
    isTooLong ||= rest.length > MOST_ROW_BYTES;
  }
}
