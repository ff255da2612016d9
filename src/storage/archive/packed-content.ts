import { Readable } from "node:stream";
import { constants } from "node:zlib";

/** The content of an entry to be written. A stream is read once, when its turn comes: made before that, nobody hears its errors. */
export type Content = Readable | Buffer | string;

/** A content as archiver takes it. */
export interface PackedContent {
  readonly content: Buffer | Readable;
  /** Not packed: its size and checksum stand before it. */
  readonly store: boolean;
  /** How hard deflate tries; 0: it only wraps. */
  readonly level: 0 | 6;
  /** What zlib does at the end of each piece; default: nothing. */
  readonly flush?: number;
}

/**
 * Media up to this size are held in memory and stored as they are; packing them again costs time and saves nothing. Larger ones are wrapped: deflate
 * at level 0 copies them at the speed of the disk.
 */
const STORED_BYTES = 8 * 1024 * 1024;
const LEVEL = 6;
const PIECE = 64 * 1024;
/** Rows, whose pieces can each be unpacked without those before: a damaged byte costs the rest of its piece, not of the file. */
const ROWS = /\.ndjson$/;
const MEDIA = /\.(?:jpe?g|png|gif|webp|avif|heic|mp4|m4v|mov|webm|mp3|m4a|ogg|zip|omanual|gz|7z|docx|xlsx|pptx)$/i;

/**
 * Decides by path and content alone how a content is packed, never by the form that it comes in or the pieces that it arrives in, so that the
 * same input gives the same bytes. A content of unknown size is never stored, and an empty one always is: readers that don't seek
 * (Java's) refuse the sizes behind a content that archiver would write for these.
 */
export async function packContent(path: string, content: Content): Promise<PackedContent> {
  const most = MEDIA.test(path) ? STORED_BYTES : 0;
  const whole = typeof content === "string" ? Buffer.from(content) : content;
  if (Buffer.isBuffer(whole) && (most === 0 || whole.length <= most))
    return { content: whole, store: whole.length <= most, level: LEVEL };
  const pieces = piecesOf(whole);
  const held: Buffer[] = [];
  let size = 0;
  for (let step = await pieces.next(); step.done !== true; step = await pieces.next()) {
    held.push(step.value);
    size += step.value.length;
    if (size > most) {
      const level = most > 0 ? 0 : LEVEL;
      const rest = chain(held, pieces);
      const flush = ROWS.test(path) ? { flush: constants.Z_FULL_FLUSH } : {};
      const packed = Readable.from(level === 0 ? even(rest) : rest, { objectMode: false });
      return { content: packed, store: false, level, ...flush };
    }
  }
  return { content: Buffer.concat(held), store: true, level: LEVEL };
}

async function* piecesOf(content: Readable | Buffer): AsyncGenerator<Buffer> {
  if (Buffer.isBuffer(content)) {
    yield content;
    return;
  }
  for await (const piece of content) yield Buffer.isBuffer(piece) ? piece : Buffer.from(piece);
}

async function* chain(held: readonly Buffer[], rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* held;
    yield* rest;
  } finally {
    // Also where the reader stops early: the caller's stream is closed with this.
    await rest.return(undefined);
  }
}

/** Pieces of one length: what deflate makes of bytes that it only wraps depends on the pieces that it gets. */
async function* even(pieces: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let length = 0;
  for await (const piece of pieces) {
    held.push(piece);
    length += piece.length;
    if (length < PIECE) continue;
    const all = Buffer.concat(held);
    const whole = length - (length % PIECE);
    for (let from = 0; from < whole; from += PIECE) yield all.subarray(from, from + PIECE);
    held = [all.subarray(whole)];
    length -= whole;
  }
  if (length > 0) yield Buffer.concat(held);
}
