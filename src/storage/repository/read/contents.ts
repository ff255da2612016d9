import { createHash } from "node:crypto";
import { pipeline } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createInflateRaw } from "node:zlib";
import type { ArchiveFile } from "../../archive/archive-file.js";
import { ContentFault } from "../../archive/content.js";
import type { ContentPlace } from "../../archive/entry-headers.js";
import type { Place, PresentRow } from "../format.js";
import type { ByteRange, Repository } from "../repository.js";
import { damage } from "./damage.js";

/**
 * The same pieces; fails at the end, or as soon as they are too many, when they are not those of
 * the sha256. Throws ArchiveError (exit 6).
 */
export async function* checkedContent(pieces: AsyncIterable<Buffer>, place: Place): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > place.size) throw wrong(place, `it has more than its ${place.size} bytes`);
    hash.update(piece);
    yield piece;
  }
  if (size < place.size) throw wrong(place, `it has ${size} of its ${place.size} bytes`);
  if (hash.digest("hex") !== place.sha256) throw wrong(place, "its sha256 is another");
}

function wrong({ path, archive, sha256 }: Place, what: string): Error {
  return damage(`${path} in ${archive} is damaged (sha256 ${sha256}): ${what}.`);
}

/**
 * The same pieces; fails at the end when they are not as many as asked for. Throws ArchiveError
 * (exit 6).
 */
export async function* checkedPart(
  pieces: AsyncIterable<Buffer>,
  { path, archive, size }: Place,
  { start, end }: ByteRange,
): AsyncGenerator<Buffer> {
  let read = 0;
  for await (const piece of pieces) {
    read += piece.length;
    yield piece;
  }
  if (read === end - start) return;
  throw damage(
    `${path} in ${archive} is damaged: of its ${size} bytes ${end - start} were asked for, and ${read} are there.`,
  );
}

/**
 * Items are held as a whole when they are read. A guide has some kilobytes, a list of a million
 * views some 200 MB; what is larger would not fit into a text either, and comes from an archive
 * that somebody made to fill the memory.
 */
export const MOST_ITEM_BYTES = 256 * 1024 * 1024;

/**
 * The bytes of an item, as they were stored. Throws what Repository says, and ArchiveError (exit 6)
 * for more than 256 MiB, before any is read.
 */
export async function itemBytes(repository: Pick<Repository, "open">, row: PresentRow): Promise<Buffer> {
  const { key, path, archive, size } = row;
  if (size > MOST_ITEM_BYTES) {
    throw damage(
      `${path} in ${archive}, which should be ${key}, has ${size} bytes, and an item has ${MOST_ITEM_BYTES} at most. It is not read.`,
    );
  }
  return buffer(await repository.open(row));
}

/** As many bytes are read in one go. */
const FEW = 16 * 1024;

/**
 * A part of up to 16 KiB of a content that is not packed, in one piece; fewer bytes where it ends
 * early. undefined: it is to be read by `contentPart`.
 */
export async function storedPart(
  file: ArchiveFile,
  { entry, contentAt, contentEnd }: ContentPlace,
  range: ByteRange,
): Promise<Buffer | undefined> {
  if (entry.method !== 0 || range.end - range.start > FEW) return undefined;
  const [start, end] = [Math.min(contentAt + range.start, contentEnd), Math.min(contentAt + range.end, contentEnd)];
  // A few bytes at the beginning were read with the header.
  return file.bytesAt(start, end - start, end - start);
}

/**
 * A part of a content: fewer bytes where it ends early, never more. What is stored, or wrapped as
 * guideferry wraps large media, is read where it lies; of what is packed all before the part is
 * unpacked and forgotten. Nothing of it is checked but what is needed to find it. Throws
 * ContentFault.
 */
export async function* contentPart(file: ArchiveFile, extent: ContentPlace, range: ByteRange): AsyncGenerator<Buffer> {
  const { entry, contentAt, contentEnd } = extent;
  if (entry.method === 0) {
    const few = await storedPart(file, extent, range);
    if (few !== undefined) yield few;
    else yield* file.pieces(Math.min(contentAt + range.start, contentEnd), Math.min(contentAt + range.end, contentEnd));
    return;
  }
  const wrapping = await isWrapped(file, extent);
  if (wrapping === undefined) yield* partOf(inflated(file, extent), range);
  else yield* wrappedPart(file, wrapping, range);
}

/** What of the pieces of a whole lies in a part; stops reading behind it. */
export async function* partOf(pieces: AsyncIterable<Buffer>, { start, end }: ByteRange): AsyncGenerator<Buffer> {
  let at = 0;
  if (start >= end) return;
  for await (const piece of pieces) {
    const [from, to] = [Math.max(0, start - at), Math.min(piece.length, end - at)];
    if (from < to) yield piece.subarray(from, to);
    at += piece.length;
    if (at >= end) return;
  }
}

async function* inflated(file: ArchiveFile, { contentAt, contentEnd }: ContentPlace): AsyncGenerator<Buffer> {
  const packed = file.range(contentAt, contentEnd);
  const inflate = createInflateRaw();
  // Whatever fails comes out of the stream that is read below, which also ends the other when
  // nobody reads on.
  pipeline(packed, inflate, () => undefined);
  try {
    yield* inflate;
  } catch (error) {
    const isFault = error instanceof Error && "code" in error && String(error.code).startsWith("Z_");
    if (!isFault) throw error;
    throw new ContentFault("E_ZIP_CORRUPT", `its packed bytes are damaged: ${error.message}`, error);
  }
}

// Deflate at level 0 cuts bytes into blocks and copies them, each behind a header of five bytes
// (RFC 1951, 3.2.4): one that says whether it is the last, its length, and the same with all bits
// turned over. zlib makes them of one length but for the first ones and the last.

const HEADER = 5;
/** Headers that are read to see the length; zlib needs one or two blocks to find it. */
const LOOKED_AT = 8;
/** Less is unpacked sooner than it is looked at. */
const SMALLEST = 1024 * 1024;

/** How a content is wrapped. */
interface Wrapping {
  readonly size: number;
  /**
   * The first block of many that have one length: where its header is, and the place of its bytes
   * in the content.
   */
  readonly evenFrom: { readonly header: number; readonly at: number };
  readonly blockBytes: number;
  /** The blocks before. */
  readonly first: readonly Block[];
  readonly contentEnd: number;
}

interface Block {
  /** Where its header is in the archive. */
  readonly header: number;
  /** Where its bytes are in the content. */
  readonly at: number;
  readonly length: number;
  readonly isLast: boolean;
}

/**
 * Looks at the first blocks of a packed content. undefined: it is packed in another way, and has to
 * be unpacked. That all of it is wrapped evenly is proven by its length, since each block takes
 * five bytes more; each header that is read later proves itself.
 */
async function isWrapped(file: ArchiveFile, extent: ContentPlace): Promise<Wrapping | undefined> {
  const { entry, contentAt, contentEnd } = extent;
  if (entry.size < SMALLEST || entry.packedSize < entry.size) return undefined;
  const first: Block[] = [];
  let next: Pick<Block, "header" | "at"> = { header: contentAt, at: 0 };
  while (first.length < LOOKED_AT) {
    const block = await blockAt(file, next.header, next.at, contentEnd);
    if (block === undefined || block.isLast || block.length === 0) return undefined;
    const before = first.at(-1);
    if (before?.length === block.length) {
      const evenFrom = { header: before.header, at: before.at };
      const wrapping = {
        size: entry.size,
        evenFrom,
        blockBytes: block.length,
        first: first.slice(0, -1),
        contentEnd,
      };
      return packedBytes(wrapping) === entry.packedSize ? wrapping : undefined;
    }
    first.push(block);
    next = { header: block.header + HEADER + block.length, at: block.at + block.length };
  }
  return undefined;
}

/**
 * The bytes that a content takes when all blocks from `evenFrom` on but the last one are of one
 * length; the last has what is left, which may be nothing.
 */
function packedBytes({ size, evenFrom, blockBytes, first }: Wrapping): number {
  const even = Math.floor((size - evenFrom.at) / blockBytes);
  return size + HEADER * (first.length + even + 1);
}

/** Reads from the block on that the part begins in. Throws ContentFault where a header is none. */
async function* wrappedPart(file: ArchiveFile, wrapping: Wrapping, range: ByteRange): AsyncGenerator<Buffer> {
  const end = Math.min(range.end, wrapping.size);
  let block = await expectBlock(file, placeOf(wrapping, Math.min(range.start, end)), wrapping.contentEnd);
  for (let at = range.start; at < end; ) {
    const from = at - block.at;
    const to = Math.min(block.length, end - block.at);
    if (to > from) yield* file.pieces(block.header + HEADER + from, block.header + HEADER + to);
    at = block.at + to;
    if (at >= end) return;
    if (block.isLast) throw new ContentFault("E_ZIP_SIZE_MISMATCH", `it ends before its ${wrapping.size} bytes`);
    const next = { header: block.header + HEADER + block.length, at: block.at + block.length };
    block = await expectBlock(file, next, wrapping.contentEnd);
  }
}

/** The block that a byte of the content is in. */
function placeOf({ evenFrom, blockBytes, first }: Wrapping, position: number): Pick<Block, "header" | "at"> {
  const known = first.find(({ at, length }) => position < at + length);
  if (known !== undefined) return known;
  const count = Math.floor((position - evenFrom.at) / blockBytes);
  return { header: evenFrom.header + count * (HEADER + blockBytes), at: evenFrom.at + count * blockBytes };
}

async function expectBlock(
  file: ArchiveFile,
  { header, at }: Pick<Block, "header" | "at">,
  contentEnd: number,
): Promise<Block> {
  const block = await blockAt(file, header, at, contentEnd);
  if (block !== undefined) return block;
  throw new ContentFault("E_ZIP_CORRUPT", `its packed bytes are damaged: no block begins at byte ${header}`);
}

/** undefined: what stands there is no header of a block that is only wrapped. */
async function blockAt(file: ArchiveFile, header: number, at: number, contentEnd: number): Promise<Block | undefined> {
  if (header + HEADER > contentEnd) return undefined;
  const bytes = await file.bytesAt(header, HEADER, HEADER);
  if (bytes.length < HEADER) return undefined;
  const [kind, length, turned] = [bytes.readUInt8(0), bytes.readUInt16LE(1), bytes.readUInt16LE(3)];
  // The bits that fill up the first byte are no part of the format; zlib leaves them 0.
  if (kind > 1 || (length ^ turned) !== 0xffff || header + HEADER + length > contentEnd) return undefined;
  return { header, at, length, isLast: kind === 1 };
}
