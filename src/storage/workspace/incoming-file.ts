import { createHash, type Hash } from "node:crypto";
import { ftruncateSync, writeSync } from "node:fs";
import { addAbortSignal, type Readable } from "node:stream";
import type { Opened } from "../../core/contracts.js";
import { ConnectionError, FerryError, WorkspaceError } from "../../core/errors.js";
import { storageError } from "../storage-error.js";

/** What a format's walk asks for next. `mayEnd`: a file that ends here is whole. */
type Need =
  /** So many bytes, which stay in front. */
  | { readonly kind: "peek"; readonly count: number; readonly mayEnd?: boolean }
  | { readonly kind: "take"; readonly count: number; readonly mayEnd?: boolean }
  | { readonly kind: "skip"; readonly count: number; readonly mayEnd?: boolean }
  /**
   * The code of the next JPEG marker: behind FF, neither 00 (a stuffed byte), FF (padding) nor D0
   * to D7 (a restart).
   */
  | { readonly kind: "marker"; readonly mayEnd?: false };

type Walk = Generator<Need, void, Buffer>;

const NOTHING = Buffer.alloc(0);
const END_OF_IMAGE = 0xffd9;

/**
 * Says of a JPEG, PNG, GIF, WebP, HEIC, AVIF or MP4 file whether its bytes stop before the end of
 * the format. A host that announces no length can break off at any byte, and only the format tells.
 * It gets the bytes in pieces of any length and holds none of them. Bytes of another format, and
 * bytes that break the rules of their own, are never called short.
 */
export class MediaEnd {
  /** The format as people call it, once it is known. */
  #format: string | undefined;
  readonly #walk: Walk = this.#begin();
  #need: Need | undefined = nextOf(this.#walk);
  #held: Buffer = NOTHING;
  /** The last two bytes, as a number. */
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

  /**
   * The format whose end is missing after all the bytes that came; undefined: nothing is known to
   * be missing.
   */
  get cutFormat(): string | undefined {
    if (this.#need === undefined || this.#need.mayEnd === true) return undefined;
    // Whatever the segments say, viewers take a picture that ends so for whole.
    if (this.#format === "JPEG" && this.#tail === END_OF_IMAGE) return undefined;
    return this.#format;
  }

  /**
   * Bytes that come next and need not be read; they are passed over with `skip`. 0: the next ones
   * are wanted, or nothing is.
   */
  get skips(): number {
    return this.#need?.kind === "skip" && this.#held.length === 0 ? this.#need.count : 0;
  }

  /** As many bytes as `skips` allows came without being read. */
  skip(count: number): void {
    if (this.#need?.kind !== "skip") return;
    const left = this.#need.count - count;
    this.#need = left > 0 ? { ...this.#need, count: left } : nextOf(this.#walk);
  }

  /** No further byte changes `cutFormat`. */
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

/**
 * `answer` is undefined where more bytes are needed; `need` is then what is left of it, and `rest`
 * what is to be kept.
 */
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
  /** `head` has the first 12 bytes, which the walk sees again. */
  readonly begins: (head: Buffer) => boolean;
  readonly walk: (head: Buffer) => Walk;
}

const FORMATS: readonly Format[] = [
  { name: "JPEG", begins: (head) => head.readUIntBE(0, 3) === 0xffd8ff, walk: walkJpeg },
  { name: "PNG", begins: (head) => head.subarray(0, 8).equals(PNG), walk: walkPng },
  { name: "GIF", begins: (head) => /^GIF8[79]a$/.test(head.toString("latin1", 0, 6)), walk: walkGif },
  { name: "WebP", begins: (head) => /^RIFF.{4}WEBP$/s.test(head.toString("latin1")), walk: walkWebp },
  // Pictures in the same boxes as MP4; an index of theirs is called meta (ISO/IEC 23008-12).
  {
    name: "HEIC",
    begins: (head) => /^.{4}ftyp(?:he[iv]|mif|msf|avi[fs])/s.test(head.toString("latin1")),
    walk: walkHeic,
  },
  { name: "MP4", begins: (head) => head.toString("latin1", 4, 8) === "ftyp", walk: walkMp4 },
];

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Segments up to EOI (FF D9), each with its length; the coded picture between them has no marker in
 * it. ITU-T T.81, annex B.
 */
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
    // 3B is the trailer. Some encoders pad with zeros; anything else is no GIF any more.
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

/** A sequence of pictures has both kinds of index. */
function walkHeic(): Walk {
  return walkBoxes((seen) => seen.has("meta") || seen.has("moov"));
}

/**
 * Boxes, each with its length. Whole is what ends between two of them and has its index and its
 * frames. ISO/IEC 14496-12.
 */
function* walkBoxes(hasIndex: (seen: ReadonlySet<string>) => boolean): Walk {
  const seen = new Set<string>();
  for (;;) {
    const mayEnd = hasIndex(seen) && (seen.has("mdat") || seen.has("moof"));
    const header = yield { kind: "take", count: 8, mayEnd };
    const [size, type] = [header.readUInt32BE(), header.toString("latin1", 4)];
    seen.add(type);
    // Up to the end of the file, wherever that is.
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

/**
 * `cutFormat` of a content that can be read anywhere; `read` gives the bytes from `start` up to,
 * not including, `end`.
 */
export async function readCutFormat(
  size: number,
  read: (start: number, end: number) => Promise<Buffer>,
): Promise<string | undefined> {
  const end = new MediaEnd();
  for (let at = 0; at < size && !end.isDecided; ) {
    const count = Math.min(end.skips === 0 ? AT_ONCE : end.skips, size - at);
    if (end.skips > 0) end.skip(count);
    else end.push(await read(at, at + count));
    // Almost every JPEG file ends with its mark, which spares to read all of it.
    const isOpenJpeg = at === 0 && end.cutFormat === "JPEG" && size > 2;
    if (isOpenJpeg && (await read(size - 2, size)).readUInt16BE() === END_OF_IMAGE) return undefined;
    at += count;
  }
  return end.cutFormat;
}

/**
 * Why a file is not taken as whole: all bytes came that the host wanted to send, and they are not
 * all that there should be.
 */
export class EndsEarly extends Error {
  override readonly name = "EndsEarly";
  /** The sha256 of what came. */
  readonly sha256: string;

  /** `what`: what the bytes lack, as the end of a sentence. */
  constructor(what: string, size: number, sha256: string) {
    super(`The host announced no length, and the ${size} bytes that came ${what}.`);
    this.sha256 = sha256;
  }
}

/** A media file on its way in: what has arrived so far, over several tries. */
export class IncomingFile {
  readonly #descriptor: number;
  readonly #path: string;
  #hash: Hash = createHash("sha256");
  #end = new MediaEnd();
  #size = 0;
  /** Bytes of the whole, as the last answer said. */
  #announced: number | null = null;
  readonly #told: () => Promise<number | undefined>;

  /**
   * `told`: the bytes of the whole as somebody else than the host tells, see MediaStore.receive.
   * Default: nobody does.
   */
  constructor(descriptor: number, path: string, told: () => Promise<number | undefined> = async () => undefined) {
    this.#descriptor = descriptor;
    this.#path = path;
    this.#told = told;
  }

  /** Bytes that have arrived and are good: where the next try goes on. */
  get size(): number {
    return this.#size;
  }

  /** The sha256 of them. */
  digest(): string {
    return this.#hash.copy().digest("hex");
  }

  /** Do they stop before the end of their format, as far as it is known? */
  get endsEarly(): boolean {
    return this.#end.cutFormat !== undefined;
  }

  /**
   * Adds what an answer brings. Returns why it isn't whole now, or undefined when it is. Throws
   * what another try can't help: an empty file, a full disk, an aborted signal.
   */
  async take(opened: Opened, signal: AbortSignal, onBytes: (count: number) => void): Promise<Error | undefined> {
    const refused = this.#start(opened);
    if (refused !== undefined) return refused;
    try {
      for await (const piece of addAbortSignal(signal, opened.content)) {
        // Some streams give text.
        this.#append(typeof piece === "string" ? Buffer.from(piece) : piece);
        onBytes(piece.length);
      }
    } catch (error) {
      signal.throwIfAborted();
      return cutOf(error);
    }
    return this.#judge();
  }

  /**
   * Goes on behind what is there, or anew where the answer begins at 0; any other answer is of no
   * use.
   */
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
      this.#startAnew();
      return new Error("The host answered with another part, or the file changed there meanwhile.");
    }
    if (opened.from === 0 && this.#size > 0) this.#startAnew();
    this.#announced = opened.size ?? this.#announced;
    return undefined;
  }

  #startAnew(): void {
    this.#hash = createHash("sha256");
    this.#end = new MediaEnd();
    this.#size = 0;
    this.#announced = null;
    ftruncateSync(this.#descriptor, 0);
  }

  #append(piece: Uint8Array): void {
    try {
      for (let written = 0; written < piece.length; ) {
        // A nearly full disk takes a part; the rest then fails with the reason.
        const rest = piece.length - written;
        written += writeSync(this.#descriptor, piece, written, rest, this.#size + written);
      }
    } catch (error) {
      throw storageError(error, `writing ${this.#path}`);
    }
    this.#hash.update(piece);
    this.#end.push(piece);
    this.#size += piece.length;
  }

  async #judge(): Promise<Error | undefined> {
    const { size } = this;
    const announced = this.#announced;
    if (size === 0) return new Error("Nothing came at all.");
    if (announced === null) {
      const lack = await this.#lack();
      return lack === undefined ? undefined : new EndsEarly(lack, size, this.digest());
    }
    if (size === announced) return undefined;
    if (size > announced) this.#startAnew();
    return new Error(`${size} bytes came where ${announced} were announced.`);
  }

  /**
   * What a file without a length lacks, for people; undefined: nothing that is known. More bytes
   * than are told are no lack.
   */
  async #lack(): Promise<string | undefined> {
    const format = this.#end.cutFormat;
    if (format !== undefined) return `stop before the end of the ${format} file`;
    const told = await this.#told();
    return told !== undefined && this.#size < told ? `are fewer than the ${told} that the site tells` : undefined;
  }
}

/** The reason why the bytes stopped; throws it when another try can't help. */
function cutOf(error: unknown): Error {
  if (error instanceof WorkspaceError || (error instanceof FerryError && !error.retriable)) throw error;
  return error instanceof Error ? error : new Error(String(error));
}

function discard(content: Readable): void {
  // Some streams report their own destruction as an error; unheard it would end the process.
  content.once("error", () => undefined);
  content.destroy();
}
