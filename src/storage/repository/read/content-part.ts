import { pipeline } from "node:stream";
import { createInflateRaw } from "node:zlib";
import type { ContentPlace } from "../../archive/check-headers.js";
import { ContentFault } from "../../archive/content.js";
import type { ArchiveFile } from "../../archive/random-access.js";
import type { ByteRange } from "./byte-range.js";
import { isWrapped, wrappedPart } from "./wrapped-part.js";

/** As many bytes are read in one go. */
const FEW = 16 * 1024;

/**
 * A part of a content: fewer bytes where it ends early, never more. What is stored, or wrapped as guideferry wraps large media, is read where it lies; of what is
 * packed all before the part is unpacked and forgotten. Nothing of it is checked but what is needed to find it. Throws ContentFault.
 */
export async function* contentPart(file: ArchiveFile, extent: ContentPlace, range: ByteRange): AsyncGenerator<Buffer> {
  const { entry, contentAt, contentEnd } = extent;
  if (entry.method === 0) {
    const [start, end] = [Math.min(contentAt + range.start, contentEnd), Math.min(contentAt + range.end, contentEnd)];
    // A few bytes at the beginning were read with the header.
    if (end - start <= FEW) yield await file.bytesAt(start, end - start, end - start);
    else yield* file.pieces(start, end);
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
  // Whatever fails comes out of the stream that is read below, which also ends the other when nobody reads on.
  pipeline(packed, inflate, () => undefined);
  try {
    yield* inflate;
  } catch (error) {
    const isFault = error instanceof Error && "code" in error && String(error.code).startsWith("Z_");
    if (!isFault) throw error;
    throw new ContentFault("E_ZIP_CORRUPT", `its packed bytes are damaged: ${error.message}`, error);
  }
}
