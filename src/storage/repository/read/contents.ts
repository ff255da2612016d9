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

/** The same pieces. Throws ArchiveError (exit 6) when size or sha256 do not match the place. */
export async function* checkedContent(pieces: AsyncIterable<Buffer>, place: Place): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > place.size) throw wrong(place, `it has more than ${place.size} bytes`);
    hash.update(piece);
    yield piece;
  }
  if (size < place.size) throw wrong(place, `it has ${size} bytes instead of ${place.size}`);
  if (hash.digest("hex") !== place.sha256) throw wrong(place, "its sha256 is different");
}

function wrong({ path, archive, sha256 }: Place, what: string): Error {
  return damage(`${path} in ${archive} is damaged (sha256 ${sha256}): ${what}.`);
}

/** The same pieces. Throws ArchiveError (exit 6) at the end when bytes of the range are missing. */
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
    `${path} in ${archive} is damaged: ${end - start} of its ${size} bytes were requested, but only ${read} can be read.`,
  );
}

/**
 * Items are held in memory as a whole. A guide has some kilobytes, a list of a million views some
 * 200 MB. A larger item can only come from an archive made to fill the memory.
 */
export const MOST_ITEM_BYTES = 256 * 1024 * 1024;

/** The stored bytes of an item. Throws as Repository, and ArchiveError (exit 6) above 256 MiB. */
export async function itemBytes(repository: Pick<Repository, "open">, row: PresentRow): Promise<Buffer> {
  const { key, path, archive, size } = row;
  if (size > MOST_ITEM_BYTES) {
    throw damage(
      `${path} in ${archive}, the file of ${key}, has ${size} bytes, but an item has ${MOST_ITEM_BYTES} bytes at most. guideferry does not read it.`,
    );
  }
  return buffer(await repository.open(row));
}

/** Bytes that one read returns. */
const FEW = 16 * 1024;

/** A small range of an unpacked content, in one piece. undefined: use `contentPart`. */
export async function storedPart(
  file: ArchiveFile,
  { entry, contentAt, contentEnd }: ContentPlace,
  range: ByteRange,
): Promise<Buffer | undefined> {
  if (entry.method !== 0 || range.end - range.start > FEW) return undefined;
  const [start, end] = [Math.min(contentAt + range.start, contentEnd), Math.min(contentAt + range.end, contentEnd)];
  // The first bytes were read with the header.
  return file.bytesAt(start, end - start, end - start);
}

/**
 * A range of a content, unchecked; fewer bytes if the content is too short. If the content is
 * stored, or wrapped as guideferry wraps large media, only the range is read; otherwise the content
 * is unpacked up to the range. Throws ContentFault.
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

/** The range of the pieces; stops reading at its end. */
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
  // Errors come out of the stream that is read below.
  pipeline(packed, inflate, () => undefined);
  try {
    yield* inflate;
  } catch (error) {
    const isFault = error instanceof Error && "code" in error && String(error.code).startsWith("Z_");
    if (!isFault) throw error;
    throw new ContentFault("E_ZIP_CORRUPT", `its packed bytes are damaged: ${error.message}`, error);
  }
}

// Deflate at level 0 copies bytes in blocks, each with a header of five bytes (RFC 1951, 3.2.4): a
// flag for the last block, its length, and the complement of the length. zlib writes blocks of
// equal length, except the first ones and the last.

const HEADER = 5;
/** Headers read to find the block length; zlib uses it after one or two blocks. */
const LOOKED_AT = 8;
/** Bytes. Unpacking a smaller content takes less time than checking its blocks. */
const SMALLEST = 1024 * 1024;

interface Wrapping {
  readonly size: number;
  /** The first block of equal length: position of its header, and of its bytes in the content. */
  readonly evenFrom: { readonly header: number; readonly at: number };
  readonly blockBytes: number;
  /** The blocks before it. */
  readonly first: readonly Block[];
  readonly contentEnd: number;
}

interface Block {
  /** Position of its header in the archive. */
  readonly header: number;
  /** Position of its bytes in the content. */
  readonly at: number;
  readonly length: number;
  readonly isLast: boolean;
}

/**
 * Checks the first blocks of a packed content. undefined: it is packed in another way and has to be
 * unpacked. The packed size proves that all blocks have equal length, since each adds five bytes.
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

/** The packed size if all blocks from `evenFrom` have equal length, except the last one. */
function packedBytes({ size, evenFrom, blockBytes, first }: Wrapping): number {
  const even = Math.floor((size - evenFrom.at) / blockBytes);
  return size + HEADER * (first.length + even + 1);
}

/** Reads from the block with the beginning of the range. Throws ContentFault. */
async function* wrappedPart(file: ArchiveFile, wrapping: Wrapping, range: ByteRange): AsyncGenerator<Buffer> {
  const end = Math.min(range.end, wrapping.size);
  let block = await expectBlock(file, placeOf(wrapping, Math.min(range.start, end)), wrapping.contentEnd);
  for (let at = range.start; at < end; ) {
    const from = at - block.at;
    const to = Math.min(block.length, end - block.at);
    if (to > from) yield* file.pieces(block.header + HEADER + from, block.header + HEADER + to);
    at = block.at + to;
    if (at >= end) return;
    if (block.isLast)
      throw new ContentFault("E_ZIP_SIZE_MISMATCH", `it ends before its declared ${wrapping.size} bytes`);
    const next = { header: block.header + HEADER + block.length, at: block.at + block.length };
    block = await expectBlock(file, next, wrapping.contentEnd);
  }
}

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

/** undefined: there is no header of a copied block at this position. */
async function blockAt(file: ArchiveFile, header: number, at: number, contentEnd: number): Promise<Block | undefined> {
  if (header + HEADER > contentEnd) return undefined;
  const bytes = await file.bytesAt(header, HEADER, HEADER);
  if (bytes.length < HEADER) return undefined;
  const [kind, length, complement] = [bytes.readUInt8(0), bytes.readUInt16LE(1), bytes.readUInt16LE(3)];
  // The format does not define the other bits of the first byte; zlib writes zeros.
  if (kind > 1 || (length ^ complement) !== 0xffff || header + HEADER + length > contentEnd) return undefined;
  return { header, at, length, isLast: kind === 1 };
}
