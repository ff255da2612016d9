import { Readable } from "node:stream";

/** The content of an entry to be written. A stream is read once, when its turn comes: made before that, nobody hears its errors. */
export type Content = Readable | Buffer | string;

/** A content as archiver takes it. */
export interface PackedContent {
  readonly content: Buffer | Readable;
  /** Not packed: its size and checksum stand before it. */
  readonly store: boolean;
}

/** Media up to this size are held in memory and stored as they are; packing them again costs time and saves nothing. */
const STORED_BYTES = 8 * 1024 * 1024;
const MEDIA = /\.(?:jpe?g|png|gif|webp|avif|heic|mp4|m4v|mov|webm|mp3|m4a|ogg|zip|omanual|gz|7z|docx|xlsx|pptx)$/i;

/**
 * Decides by path and content alone how a content is packed, never by the form that it comes in or the pieces that it arrives in, so that the
 * same input gives the same bytes. A content of unknown size is never stored, and an empty one always is: readers that don't seek
 * (Java's) refuse the sizes behind a content that archiver would write for these.
 */
export async function packContent(path: string, content: Content): Promise<PackedContent> {
  const pieces = piecesOf(content);
  const most = MEDIA.test(path) ? STORED_BYTES : 0;
  const held: Buffer[] = [];
  let size = 0;
  for (let step = await pieces.next(); step.done !== true; step = await pieces.next()) {
    held.push(step.value);
    size += step.value.length;
    if (size > most) return { content: Readable.from(chain(held, pieces), { objectMode: false }), store: false };
  }
  return { content: Buffer.concat(held), store: true };
}

async function* piecesOf(content: Content): AsyncGenerator<Buffer> {
  if (typeof content === "string" || Buffer.isBuffer(content)) {
    yield Buffer.from(content);
    return;
  }
  for await (const piece of content) yield Buffer.from(piece);
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
