import { pipeline, Readable } from "node:stream";
import { crc32, createInflateRaw, inflateRawSync } from "node:zlib";
import { ArchiveError } from "../../core/errors.js";
import type { ArchiveFile } from "./archive-file.js";
import type { ContentPlace } from "./entry-headers.js";
import type { Code } from "./findings.js";
import { type Finding, findingOf } from "./findings.js";
import type { ListedEntry } from "./read-list.js";

/** A fault of a content that is found while it is read. */
export class ContentFault extends Error {
  readonly code: Code;
  /** Other faults of the same content. */
  readonly others: readonly ContentFault[];
  constructor(code: Code, detail: string, cause?: unknown, others: readonly ContentFault[] = []) {
    super(detail, { cause });
    this.code = code;
    this.others = others;
  }
}

/** The content of an entry. The stream fails with ArchiveError on a wrong size or checksum. */
export function openContent(file: ArchiveFile, extent: ContentPlace, archive: string): Readable {
  return Readable.from(named(file, extent, archive), { objectMode: false });
}

async function* named(file: ArchiveFile, extent: ContentPlace, archive: string): AsyncGenerator<Buffer> {
  try {
    yield* contentOf(file, extent);
  } catch (error) {
    if (!(error instanceof ContentFault)) throw error;
    const finding: Finding = findingOf(error.code, extent.entry.path, error.message);
    throw new ArchiveError(
      `${archive}: the entry "${finding.entry}" cannot be read: ${finding.detail} (${finding.code}). ${finding.remedy}`,
      { findings: [finding], cause: error },
    );
  }
}

/**
 * The pieces of a content, never more bytes than declared. With `memory`, a piece is valid until
 * the next one is requested. Throws ContentFault.
 */
export async function* contentOf(file: ArchiveFile, extent: ContentPlace, memory?: Buffer): AsyncGenerator<Buffer> {
  const { entry, contentAt } = extent;
  if (isSmall(entry) && entry.method !== 0) {
    yield contentAtOnce(await file.bytesAt(contentAt, entry.packedSize), entry);
    return;
  }
  let size = 0;
  let checksum = 0;
  let used: number | undefined;
  const setUsed = (bytes: number): void => {
    used = bytes;
  };
  for await (const piece of unpacked(file, extent, memory, setUsed)) {
    size += piece.length;
    if (size > entry.size) throw tooMuch(entry);
    checksum = crc32(piece, checksum);
    yield piece;
  }
  throwFirst([...unused(used, entry), ...differences(size, checksum, entry)]);
}

/** The content of a small entry, from its packed bytes. Throws ContentFault. */
export function contentAtOnce(packed: Buffer, entry: ListedEntry): Buffer {
  const { buffer: content, engine } = entry.method === 0 ? { buffer: packed } : inflate(packed, entry);
  if (content.length > entry.size) throw tooMuch(entry);
  throwFirst([...unused(engine?.bytesWritten, entry), ...differences(content.length, crc32(content), entry)]);
  return content;
}

function throwFirst([first, ...others]: readonly ContentFault[]): void {
  if (first !== undefined) throw new ContentFault(first.code, first.message, undefined, others);
}

export function isSmall({ packedSize, size }: ListedEntry): boolean {
  return packedSize <= SMALL && size <= SMALL;
}

/** Bytes. One call is up to ten times as fast as a stream for a content of up to this size. */
const SMALL = 256 * 1024;

/** The minimum of zlib. */
const SMALLEST_CHUNK = 64;

/** Each piece is a task of another thread; Node's default of 16 KiB makes a million of them. */
const INFLATED_AT_ONCE = 256 * 1024;

/** `setUsed` gets the number of packed bytes that deflate used. */
function unpacked(
  file: ArchiveFile,
  extent: ContentPlace,
  memory: Buffer | undefined,
  setUsed: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  const { entry, contentAt, contentEnd } = extent;
  return entry.method === 0 ? file.pieces(contentAt, contentEnd, memory) : inflated(file, extent, setUsed);
}

async function* inflated(
  file: ArchiveFile,
  { entry, contentAt, contentEnd }: ContentPlace,
  setUsed: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ chunkSize: INFLATED_AT_ONCE });
  // Errors come out of the stream that is read below.
  pipeline(file.range(contentAt, contentEnd), inflate, () => undefined);
  try {
    yield* inflate;
  } catch (error) {
    throw inflateFault(error, entry);
  }
  setUsed(inflate.bytesWritten);
}

/** The result with `info`, which Node's types lack: it has the number of packed bytes used. */
interface Inflated {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

function inflate(packed: Buffer, entry: ListedEntry): Inflated {
  try {
    const answer: unknown = inflateRawSync(packed, {
      info: true,
      chunkSize: Math.max(SMALLEST_CHUNK, entry.size + 1),
      maxOutputLength: entry.size + 1,
    });
    return answer as Inflated;
  } catch (error) {
    throw inflateFault(error, entry);
  }
}

function inflateFault(error: unknown, entry: ListedEntry): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  if (error.code === "ERR_BUFFER_TOO_LARGE") return tooMuch(entry);
  if (!String(error.code).startsWith("Z_")) return error;
  const others = error.code === "Z_BUF_ERROR" ? [tooLittle(entry)] : [];
  return new ContentFault("E_ZIP_CORRUPT", `its packed bytes are damaged: ${error.message}`, error, others);
}

function tooMuch({ size }: ListedEntry): ContentFault {
  return new ContentFault("E_ZIP_SIZE_MISMATCH", `it has more than the declared ${size} bytes`);
}

/** Without deflate's end mark the content is shorter than declared. */
function tooLittle({ size }: ListedEntry): ContentFault {
  return new ContentFault("E_ZIP_SIZE_MISMATCH", `it ends before its declared ${size} bytes`);
}

function unused(used: number | undefined, { packedSize }: ListedEntry): readonly ContentFault[] {
  if (used === undefined || used === packedSize) return [];
  return [new ContentFault("E_ZIP_CORRUPT", `${packedSize - used} of its packed bytes come after its end`)];
}

function differences(size: number, checksum: number, entry: ListedEntry): readonly ContentFault[] {
  if (size < entry.size)
    return [new ContentFault("E_ZIP_SIZE_MISMATCH", `it has ${size} of the declared ${entry.size} bytes`)];
  if (checksum === entry.crc32) return [];
  return [new ContentFault("E_ZIP_CRC", `its checksum is ${hex(checksum)}; the archive declares ${hex(entry.crc32)}`)];
}

function hex(checksum: number): string {
  return checksum.toString(16).padStart(8, "0");
}
