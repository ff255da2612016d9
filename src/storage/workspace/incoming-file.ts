import { createHash, type Hash, hash } from "node:crypto";
import { ftruncateSync, writeSync } from "node:fs";
import type { Readable } from "node:stream";
import type { Opened } from "../../core/contracts.js";
import { ConnectionError, FerryError, WorkspaceError } from "../../core/errors.js";
import { readPieces } from "../../core/util/iterables.js";
import { storageError } from "../storage-error.js";

/** The next request of a format's walk. `mayEnd`: a file that ends here is complete. */
type Need =
  /** `count` bytes that are not consumed. */
  | { readonly kind: "peek"; readonly count: number; readonly mayEnd?: boolean }
  | { readonly kind: "take"; readonly count: number; readonly mayEnd?: boolean }
  | { readonly kind: "skip"; readonly count: number; readonly mayEnd?: boolean }
  /** The code of the next JPEG marker: after FF, not 00 (stuffing), FF (padding), D0 to D7. */
  | { readonly kind: "marker"; readonly mayEnd?: false };

type Walk = Generator<Need, void, Buffer>;

const NOTHING = Buffer.alloc(0);
const END_OF_IMAGE = 0xffd9;

/**
 * Finds out whether a JPEG, PNG, GIF, WebP, HEIC, AVIF or MP4 file stops before the end of its
 * format, which is the only sign of an interrupted download without an announced length. It takes
 * pieces of any length and keeps none. Bytes of an unknown format, or with an invalid structure,
 * never count as cut.
 */
export class MediaEnd {
  /** The name of the format, once it is known. */
  #format: string | undefined;
  readonly #walk: Walk = this.#begin();
  #need: Need | undefined = nextOf(this.#walk);
  #held: Buffer = NOTHING;
  #tail = 0;

  push(piece: Uint8Array): void {
    for (const byte of piece.subarray(-2)) this.#tail = ((this.#tail << 8) | byte) & 0xffff;
    if (this.#need === undefined) return;
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.length);
    let rest = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    this.#held = NOTHING;
    while (this.#need !== undefined) {
      const met = meet(this.#need, rest);
      rest = met.rest;
      if (met.answer === undefined) {
        this.#need = met.need;
        this.#held = Buffer.from(rest);
        return;
      }
      this.#need = nextOf(this.#walk, met.answer);
    }
  }

  /** The format whose end is missing so far; undefined: nothing is known to be missing. */
  get cutFormat(): string | undefined {
    if (this.#need === undefined || this.#need.mayEnd === true) return undefined;
    // Viewers accept a picture with this end, whatever its segments declare.
    if (this.#format === "JPEG" && this.#tail === END_OF_IMAGE) return undefined;
    return this.#format;
  }

  /** The number of next bytes that need not be read; the caller passes over them with `skip`. */
  get skips(): number {
    return this.#need?.kind === "skip" && this.#held.length === 0 ? this.#need.count : 0;
  }

  skip(count: number): void {
    if (this.#need?.kind !== "skip") return;
    const left = this.#need.count - count;
    this.#need = left > 0 ? { ...this.#need, count: left } : nextOf(this.#walk);
  }

  get isDecided(): boolean {
    return this.#need === undefined;
  }

  *#begin(): Walk {
    const head = yield { kind: "peek", count: 12 };
    const known = FORMATS.find(({ begins }) => begins(head));
    this.#format = known?.name;
    if (known !== undefined) yield* known.walk(head);
  }
}

function nextOf(walk: Walk, answer: Buffer = NOTHING): Need | undefined {
  const step = walk.next(answer);
  return step.done === true ? undefined : step.value;
}

/** `answer` undefined: more bytes are needed; `need` is the remainder, `rest` the bytes to keep. */
interface Met {
  readonly need: Need;
  readonly answer?: Buffer;
  readonly rest: Buffer;
}

function meet(need: Need, rest: Buffer): Met {
  if (need.kind === "marker") return meetMarker(need, rest);
  const { count } = need;
  if (need.kind === "skip")
    return rest.length < count
      ? { need: { ...need, count: count - rest.length }, rest: NOTHING }
      : { need, answer: NOTHING, rest: rest.subarray(count) };
  if (rest.length < count) return { need, rest };
  return { need, answer: rest.subarray(0, count), rest: need.kind === "take" ? rest.subarray(count) : rest };
}

function meetMarker(need: Need, rest: Buffer): Met {
  for (let at = rest.indexOf(0xff); at !== -1; at = rest.indexOf(0xff, at + 1)) {
    const code = rest[at + 1];
    if (code === undefined) return { need, rest: rest.subarray(at) };
    if (code === 0x00 || code === 0xff || (code >= 0xd0 && code <= 0xd7)) continue;
    return { need, answer: rest.subarray(at + 1, at + 2), rest: rest.subarray(at + 2) };
  }
  return { need, rest: NOTHING };
}

interface Format {
  readonly name: string;
  /** `head`: the first 12 bytes, which the walk reads again. */
  readonly begins: (head: Buffer) => boolean;
  readonly walk: (head: Buffer) => Walk;
}

const FORMATS: readonly Format[] = [
  { name: "JPEG", begins: (head) => head.readUIntBE(0, 3) === 0xffd8ff, walk: walkJpeg },
  { name: "PNG", begins: (head) => head.subarray(0, 8).equals(PNG), walk: walkPng },
  { name: "GIF", begins: (head) => /^GIF8[79]a$/.test(head.toString("latin1", 0, 6)), walk: walkGif },
  { name: "WebP", begins: (head) => /^RIFF.{4}WEBP$/s.test(head.toString("latin1")), walk: walkWebp },
  // The same boxes as MP4, with an index called meta (ISO/IEC 23008-12).
  {
    name: "HEIC",
    begins: (head) => /^.{4}ftyp(?:he[iv]|mif|msf|avi[fs])/s.test(head.toString("latin1")),
    walk: walkHeic,
  },
  { name: "MP4", begins: (head) => head.toString("latin1", 4, 8) === "ftyp", walk: walkMp4 },
];

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** ITU-T T.81, annex B: segments with lengths up to EOI (FF D9); coded data has no marker. */
function* walkJpeg(): Walk {
  yield { kind: "skip", count: 2 };
  for (;;) {
    const code = (yield { kind: "marker" })[0];
    if (code === 0xd9) return;
    if (code === 0x01 || code === 0xd8) continue;
    const length = (yield { kind: "take", count: 2 }).readUInt16BE();
    if (length < 2) return;
    yield { kind: "skip", count: length - 2 };
  }
}

/** Chunks up to IEND: length, type, data, checksum. */
function* walkPng(): Walk {
  yield { kind: "skip", count: PNG.length };
  for (;;) {
    const header = yield { kind: "take", count: 8 };
    yield { kind: "skip", count: header.readUInt32BE() + 4 };
    if (header.toString("latin1", 4) === "IEND") return;
  }
}

/** Blocks up to the trailer 3B; a block ends with an empty sub-block. */
function* walkGif(): Walk {
  const screen = yield { kind: "take", count: 13 };
  yield { kind: "skip", count: paletteOf(screen[10] ?? 0) };
  for (;;) {
    const code = (yield { kind: "take", count: 1 })[0];
    if (code === 0x2c) {
      const image = yield { kind: "take", count: 9 };
      yield { kind: "skip", count: paletteOf(image[8] ?? 0) };
    }
    // 3B is the trailer. Some encoders pad with zeros; anything else is not GIF.
    if (code !== 0x2c && code !== 0x21 && code !== 0) return;
    if (code === 0) continue;
    yield { kind: "skip", count: 1 };
    for (let length = 1; length > 0; ) {
      length = (yield { kind: "take", count: 1 })[0] ?? 0;
      yield { kind: "skip", count: length };
    }
  }
}

/** Bytes of the colour table that the flags of a GIF announce. */
function paletteOf(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

function* walkWebp(head: Buffer): Walk {
  yield { kind: "skip", count: 8 + head.readUInt32LE(4) };
}

function walkMp4(): Walk {
  return walkBoxes((seen) => seen.has("moov"));
}

/** A picture has `meta`, a sequence of pictures `moov`. */
function walkHeic(): Walk {
  return walkBoxes((seen) => seen.has("meta") || seen.has("moov"));
}

/**
 * ISO/IEC 14496-12: boxes with lengths. A file is complete if it ends between two boxes and has an
 * index and frames.
 */
function* walkBoxes(hasIndex: (seen: ReadonlySet<string>) => boolean): Walk {
  const seen = new Set<string>();
  for (;;) {
    const mayEnd = hasIndex(seen) && (seen.has("mdat") || seen.has("moof"));
    const header = yield { kind: "take", count: 8, mayEnd };
    const [size, type] = [header.readUInt32BE(), header.toString("latin1", 4)];
    seen.add(type);
    // The box ends at the end of the file.
    if (size === 0) yield { kind: "skip", count: Number.POSITIVE_INFINITY, mayEnd: hasIndex(seen) };
    if (size === 1) {
      const large = yield { kind: "take", count: 8 };
      yield { kind: "skip", count: Number(large.readBigUInt64BE()) - 16 };
    } else {
      if (size < 8) return;
      yield { kind: "skip", count: size - 8 };
    }
  }
}

const AT_ONCE = 16 * 1024;

/** `cutFormat` of a content that `read` reads from `start` to before `end`. */
export async function readCutFormat(
  size: number,
  read: (start: number, end: number) => Promise<Buffer>,
): Promise<string | undefined> {
  const walk = walkParts(size);
  let step = walk.next(NOTHING);
  while (step.done !== true) step = walk.next(await read(step.value.start, step.value.end));
  return step.value;
}

/** The same of a content in memory. */
export function cutFormatIn(content: Buffer): string | undefined {
  const walk = walkParts(content.length);
  let step = walk.next(NOTHING);
  while (step.done !== true) step = walk.next(content.subarray(step.value.start, step.value.end));
  return step.value;
}

/** Asks for the parts of a content that decide its `cutFormat`, and returns that. */
function* walkParts(
  size: number,
): Generator<{ readonly start: number; readonly end: number }, string | undefined, Buffer> {
  const end = new MediaEnd();
  for (let at = 0; at < size && !end.isDecided; ) {
    const count = Math.min(end.skips === 0 ? AT_ONCE : end.skips, size - at);
    if (end.skips > 0) end.skip(count);
    else end.push(yield { start: at, end: at + count });
    // Almost every JPEG file ends with its marker, so reading all of it is not necessary.
    const isOpenJpeg = at === 0 && end.cutFormat === "JPEG" && size > 2;
    if (isOpenJpeg && (yield { start: size - 2, end: size }).readUInt16BE() === END_OF_IMAGE) return undefined;
    at += count;
  }
  return end.cutFormat;
}

/** The host ended its answer without an error, but the file is not complete. */
export class EndsEarly extends Error {
  override readonly name = "EndsEarly";
  readonly sha256: string;

  /** `lack`: the missing part, as the end of a sentence. */
  constructor(lack: string, size: number, sha256: string) {
    super(`The host announced no length, and the ${size} bytes that it sent ${lack}.`);
    this.sha256 = sha256;
  }
}

/** Enough bytes for signatures, and for the root of an SVG after its comments. */
const HEAD_BYTES = 4096;

export interface IncomingFileOptions {
  /** Gets the number of bytes of each piece. */
  readonly onBytes?: (count: number) => void;
  /** The size from another source, only asked when the host announces none. Default: unknown. */
  readonly reportedSize?: () => Promise<number | undefined>;
  /**
   * Gets the first bytes before any is written. Throws an error that another attempt can't correct.
   * Default: everything is accepted.
   */
  readonly check?: (head: Buffer) => void;
}

/** A media file that is being received, over several attempts. */
export class IncomingFile {
  readonly #descriptor: number;
  readonly #path: string;
  /** undefined: of `#first`, which takes less time at once. */
  #hash: Hash | undefined;
  #end = new MediaEnd();
  #size = 0;
  /** The bytes that were written first. */
  #first: Buffer = NOTHING;
  /** First pieces that wait for the check. */
  #head: Buffer[] = [];
  /** The size of the file in the last answer. */
  #announced: number | null = null;
  readonly #options: IncomingFileOptions;

  constructor(descriptor: number, path: string, options: IncomingFileOptions = {}) {
    this.#descriptor = descriptor;
    this.#path = path;
    this.#options = options;
  }

  /** Received bytes: the position at which the next attempt continues. */
  get size(): number {
    return this.#size;
  }

  /** The first `most` bytes, or all of a smaller file; undefined: the file has to be read. */
  head(most: number): Buffer | undefined {
    return this.#first.length >= Math.min(most, this.#size) ? this.#first.subarray(0, most) : undefined;
  }

  digest(): string {
    return this.#hash?.copy().digest("hex") ?? hash("sha256", this.#first);
  }

  get endsEarly(): boolean {
    return this.#end.cutFormat !== undefined;
  }

  /**
   * Adds the bytes of an answer. Returns why the file is not complete; undefined: it is. Throws
   * errors that another attempt can't correct: an empty file, a full disk, an aborted signal, and
   * those of `check`.
   */
  async take(opened: Opened, signal: AbortSignal): Promise<Error | undefined> {
    const refused = this.#start(opened);
    if (refused !== undefined) return refused;
    try {
      await readPieces(opened.content, signal, (piece) => this.#accept(piece));
      this.#acceptHead();
    } catch (error) {
      signal.throwIfAborted();
      return cutOf(error);
    }
    return this.#check();
  }

  /** Continues after the received bytes, or restarts at 0; returns an error for other answers. */
  #start(opened: Opened): Error | undefined {
    const isSameFile = opened.size === null || this.#announced === null || opened.size === this.#announced;
    if (opened.size === 0) {
      discard(opened.content);
      throw new ConnectionError("The host announced an empty file (Content-Length: 0), which is never stored.", {
        retriable: false,
      });
    }
    if (opened.from !== 0 && (opened.from !== this.#size || !isSameFile)) {
      discard(opened.content);
      this.#restart();
      return new Error("The host sent another part of the file, or the file changed there during the download.");
    }
    if (opened.from === 0) this.#restart();
    this.#announced = opened.size ?? this.#announced;
    return undefined;
  }

  #restart(): void {
    this.#head = [];
    this.#announced = null;
    if (this.#size === 0) return;
    this.#hash = undefined;
    this.#end = new MediaEnd();
    this.#size = 0;
    this.#first = NOTHING;
    ftruncateSync(this.#descriptor, 0);
  }

  #accept(piece: Buffer): void {
    this.#options.onBytes?.(piece.length);
    if (this.#size > 0 || this.#options.check === undefined) {
      this.#append(piece);
      return;
    }
    this.#head.push(piece);
    if (this.#head.reduce((size, { length }) => size + length, 0) >= HEAD_BYTES) this.#acceptHead();
  }

  /** An empty file has no kind; it is reported as empty. */
  #acceptHead(): void {
    const [first, ...others] = this.#head;
    const head = first === undefined || others.length > 0 ? Buffer.concat(this.#head) : first;
    this.#head = [];
    if (head.length === 0) return;
    this.#options.check?.(head);
    this.#append(head);
  }

  #append(piece: Buffer): void {
    try {
      for (let written = 0; written < piece.length; ) {
        // A nearly full disk writes a part; writing the rest then throws the reason.
        const rest = piece.length - written;
        written += writeSync(this.#descriptor, piece, written, rest, this.#size + written);
      }
    } catch (error) {
      throw storageError(error, `writing ${this.#path}`);
    }
    if (this.#size === 0) this.#first = piece;
    else this.#hash = (this.#hash ?? createHash("sha256").update(this.#first)).update(piece);
    this.#end.push(piece);
    this.#size += piece.length;
  }

  async #check(): Promise<Error | undefined> {
    const { size } = this;
    const announced = this.#announced;
    if (size === 0) return new Error("The host sent no bytes.");
    if (announced === null) {
      const lack = await this.#lack();
      return lack === undefined ? undefined : new EndsEarly(lack, size, this.digest());
    }
    if (size === announced) return undefined;
    if (size > announced) this.#restart();
    return new Error(`The host announced ${announced} bytes and sent ${size}.`);
  }

  /** What a file without an announced length lacks; undefined: nothing that is known. */
  async #lack(): Promise<string | undefined> {
    const format = this.#end.cutFormat;
    if (format !== undefined) return `stop before the end of the ${format} file`;
    const reportedSize = await this.#options.reportedSize?.();
    return reportedSize !== undefined && this.#size < reportedSize
      ? `are fewer than the ${reportedSize} bytes that the site reports`
      : undefined;
  }
}

/** The reason why the bytes stopped. Throws an error that another attempt can't correct. */
function cutOf(error: unknown): Error {
  if (error instanceof WorkspaceError || (error instanceof FerryError && !error.retriable)) throw error;
  return error instanceof Error ? error : new Error(String(error));
}

function discard(content: Readable): void {
  // Some streams report their destruction as an error; without a listener it ends the process.
  content.once("error", () => undefined);
  content.destroy();
}
