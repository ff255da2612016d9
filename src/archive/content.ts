import { pipeline, Readable } from "node:stream";
import { crc32, createInflateRaw, inflateRawSync } from "node:zlib";
import { ArchiveError } from "../errors.js";
import type { Extent } from "./check-headers.js";
import type { Code } from "./codes.js";
import { type Finding, findingOf } from "./finding-list.js";
import type { ArchiveFile } from "./random-access.js";
import type { ListedEntry } from "./read-list.js";

/** What is wrong with a content; only known while it is read. */
export class ContentFault extends Error {
  readonly code: Code;
  constructor(code: Code, detail: string, cause?: unknown) {
    super(detail, { cause });
    this.code = code;
  }
}

/** The content of an entry as a stream that ends only when size and checksum were right, and else fails with ArchiveError. */
export function openContent(file: ArchiveFile, extent: Extent, archive: string): Readable {
  return Readable.from(named(file, extent, archive), { objectMode: false });
}

async function* named(file: ArchiveFile, extent: Extent, archive: string): AsyncGenerator<Buffer> {
  try {
    yield* contentOf(file, extent);
  } catch (error) {
    if (!(error instanceof ContentFault)) throw error;
    const finding: Finding = findingOf(error.code, extent.entry.path, error.message);
    throw new ArchiveError(
      `${archive}: the entry "${finding.entry}" can't be read: ${finding.detail} (${finding.code}). ${finding.remedy}`,
      { findings: [finding], cause: error },
    );
  }
}

/** The pieces of a content, never more of it than declared. Throws ContentFault. */
export async function* contentOf(file: ArchiveFile, extent: Extent): AsyncGenerator<Buffer> {
  const { entry } = extent;
  let size = 0;
  let checksum = 0;
  for await (const piece of unpacked(file, extent)) {
    size += piece.length;
    if (size > entry.size) throw tooMuch(entry);
    checksum = crc32(piece, checksum);
    yield piece;
  }
  if (size < entry.size) throw new ContentFault("E_ZIP_SIZE_MISMATCH", `it has ${size} of its ${entry.size} bytes`);
  if (checksum !== entry.crc32) {
    throw new ContentFault("E_ZIP_CRC", `its checksum is ${hex(checksum)}, it should be ${hex(entry.crc32)}`);
  }
}

/** Small contents are unpacked in one go, up to ten times as fast as by a stream of their own. */
const SMALL = 256 * 1024;

/** Each piece is a turn of a thread of its own; Node's 16 KiB make a million of them in a repository's rows. */
const INFLATED_AT_ONCE = 256 * 1024;

async function* unpacked(file: ArchiveFile, { entry, contentAt, contentEnd }: Extent): AsyncGenerator<Buffer> {
  if (entry.method === 0) yield* file.pieces(contentAt, contentEnd);
  else if (entry.packedSize > SMALL || entry.size > SMALL) yield* inflated(file, entry, contentAt, contentEnd);
  else yield inflatedAtOnce(await file.bytesAt(contentAt, entry.packedSize), entry);
}

async function* inflated(file: ArchiveFile, entry: ListedEntry, from: number, to: number): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ chunkSize: INFLATED_AT_ONCE });
  // Whatever fails comes out of the stream that is read below.
  pipeline(file.range(from, to), inflate, () => undefined);
  try {
    yield* inflate;
  } catch (error) {
    throw inflateFault(error, entry);
  }
  expectWhole(inflate.bytesWritten, entry);
}

function inflatedAtOnce(packed: Buffer, entry: ListedEntry): Buffer {
  const answer = inflate(packed, entry);
  expectWhole(answer.engine.bytesWritten, entry);
  return answer.buffer;
}

/** With `info`, which the types don't know the answer of, zlib also tells how much of the packed bytes it used. */
interface Inflated {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

function inflate(packed: Buffer, entry: ListedEntry): Inflated {
  try {
    const answer: unknown = inflateRawSync(packed, { info: true, maxOutputLength: entry.size + 1 });
    return answer as Inflated;
  } catch (error) {
    throw inflateFault(error, entry);
  }
}

function inflateFault(error: unknown, entry: ListedEntry): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  if (error.code === "ERR_BUFFER_TOO_LARGE") return tooMuch(entry);
  if (!String(error.code).startsWith("Z_")) return error;
  return new ContentFault("E_ZIP_CORRUPT", `its packed bytes are damaged: ${error.message}`, error);
}

function tooMuch({ size }: ListedEntry): ContentFault {
  return new ContentFault("E_ZIP_SIZE_MISMATCH", `it has more than its ${size} bytes`);
}

function expectWhole(used: number, { packedSize }: ListedEntry): void {
  if (used === packedSize) return;
  throw new ContentFault("E_ZIP_CORRUPT", `${packedSize - used} of its packed bytes stand behind its end`);
}

function hex(checksum: number): string {
  return checksum.toString(16).padStart(8, "0");
}
