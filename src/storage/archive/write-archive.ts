import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { constants, crc32, type ZlibOptions } from "node:zlib";
import { ArchiveError, EXIT } from "../../core/errors.js";
import { replaceAtomically } from "./atomic-file.js";
import { onDisk } from "./disk-error.js";
import { checkNames, checkPath, NameHashes } from "./entry-names.js";
import { FindingList, refusalToWrite } from "./findings.js";
import { DEFAULT_LIMITS } from "./limits.js";
import { deflateInto, type Sizes, ZipWriter } from "./zip-writer.js";

/** Bytes. Contents up to this size are packed in one call, so they are best given as a Buffer. */
export const AT_ONCE = 1024 * 1024;

/**
 * Writes a zip archive with streamed entries in the given order. The same input gives the same
 * bytes (with the same build of Node). The file is complete and synced, or it is unchanged; an
 * existing one is replaced. Throws ArchiveError for names that the guard would refuse and for disk
 * errors, and the errors of contents and `entries`.
 */
export async function writeArchive(
  path: string,
  entries: AsyncIterable<NewEntry> | Iterable<NewEntry>,
  options: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  await replaceAtomically(path, `writing ${path}`, (temporary) => writeTo(temporary, path, entries, options.signal));
}

/**
 * Gives the bytes of an archive to `write`, in order; their memory is used again when `write` is
 * done. `path`: for messages. Throws as `writeArchive`, and the errors of `write`; then the bytes
 * are not an archive. A Buffer of up to `AT_ONCE` bytes may be reused by the caller when the next
 * entry is requested.
 */
export async function packInto(
  path: string,
  write: (bytes: Buffer) => Promise<void>,
  entries: AsyncIterable<NewEntry> | Iterable<NewEntry>,
  signal?: AbortSignal,
): Promise<void> {
  // The first failure of `write`, a content or the caller ends the others with its error.
  const failed = new AbortController();
  const ended = signal === undefined ? failed.signal : AbortSignal.any([failed.signal, signal]);
  const zip = new ZipWriter(async (bytes) => {
    ended.throwIfAborted();
    await write(bytes).catch((error: unknown) => {
      failed.abort(error);
      throw error;
    });
  });
  const names = new WrittenNames();
  for await (const entry of entries) {
    if (!names.allows(entry)) break;
    const { path: name, content } = entry;
    // Without an await for most entries, since it costs more than they do.
    const adding = content instanceof Readable ? appendStream(zip, name, content, ended) : append(zip, name, content);
    if (adding !== undefined) await adding;
    ended.throwIfAborted();
  }
  names.check(path, zip);
  await zip.finish();
}

async function writeTo(
  temporary: string,
  path: string,
  entries: AsyncIterable<NewEntry> | Iterable<NewEntry>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const doing = `writing ${path}`;
  const handle = await onDisk(doing, open(temporary, "wx", 0o600));
  const write = (bytes: Buffer): Promise<void> => onDisk(doing, handle.appendFile(bytes));
  try {
    await packInto(path, write, entries, signal);
    await onDisk(doing, handle.sync());
  } finally {
    await handle.close();
  }
}

/** The guard's rules for names also apply to written archives. */
class WrittenNames {
  readonly #findings = new FindingList(DEFAULT_LIMITS.findings);
  readonly #hashes = new NameHashes();
  #count = 0;

  /** May the archive have this entry? */
  allows(entry: NewEntry): boolean {
    const { path, faults } = checkPath(entry.path, DEFAULT_LIMITS);
    this.#hashes.add(path);
    this.#count += 1;
    for (const { code, detail } of faults) this.#findings.add(code, entry, detail);
    if (path !== entry.path) this.#findings.add("E_ZIP_PATH_INVALID", entry, "its name is not in normal form");
    return !this.#findings.isRefused;
  }

  /** Throws ArchiveError for names that the archive can't have together. */
  check(archive: string, zip: ZipWriter): void {
    const findings = this.#findings;
    if (this.#hashes.mayCollide)
      checkNames(
        Array.from(zip.names(), (path) => ({ path, spelling: path, isFolder: false })),
        findings,
      );
    if (this.#count === 0) findings.add("E_ZIP_EMPTY", null, "it has no entries");
    if (findings.isRefused) throw refusalToWrite(archive, { findings: findings.all, findingsLeft: findings.left });
  }
}

/** One file of an archive to be written. */
export interface NewEntry {
  /** As in `Files.paths`: relative, slashes, NFC. */
  readonly path: string;
  readonly content: Content;
}

/** A waiting stream is closed when another part fails. */
async function appendStream(zip: ZipWriter, path: string, content: Readable, ended: AbortSignal): Promise<void> {
  const close = (): void => void content.destroy(ended.reason);
  ended.addEventListener("abort", close, { once: true });
  try {
    ended.throwIfAborted();
    await append(zip, path, content);
  } catch (error) {
    content.destroy();
    ended.throwIfAborted();
    throw error;
  } finally {
    ended.removeEventListener("abort", close);
  }
}

/** A stream is read when its entry is written; if it is created earlier, its errors are unheard. */
type Content = Readable | Buffer | string | PackedRows;

/** Rows that are packed once for several archives, in a file that the caller removes. */
export class PackedRows {
  readonly #file: string;
  readonly #packed: { readonly sizes: Sizes; readonly checksum: number };

  private constructor(file: string, packed: { readonly sizes: Sizes; readonly checksum: number }) {
    this.#file = file;
    this.#packed = packed;
  }

  /** Throws ArchiveError for the disk, and the errors of `rows`. */
  static async pack(rows: Readable, file: string): Promise<PackedRows> {
    const doing = `writing ${file}`;
    const handle = await onDisk(doing, open(file, "wx", 0o600));
    try {
      let checksum = 0;
      const put = (piece: Buffer): Promise<void> => {
        checksum = crc32(piece, checksum);
        return onDisk(doing, handle.appendFile(piece));
      };
      return new PackedRows(file, { sizes: await deflateInto(put, rows, ROWS.larger), checksum });
    } finally {
      await handle.close();
    }
  }

  async addTo(zip: ZipWriter, name: string): Promise<void> {
    const { sizes } = this.#packed;
    if (sizes.size === 0) await zip.store(name, Buffer.alloc(0));
    else await zip.packed(name, this.#pieces(), sizes);
  }

  async *#pieces(): AsyncGenerator<Buffer> {
    let checksum = 0;
    for await (const piece of createReadStream(this.#file)) {
      checksum = crc32(piece, checksum);
      yield piece;
    }
    if (checksum === this.#packed.checksum) return;
    throw new ArchiveError(
      `The disk returns other bytes than guideferry wrote to ${this.#file}. Check the disk, its cable and the memory of the machine.`,
      { exitCode: EXIT.stopped },
    );
  }
}

const LEVEL = 6;
const PIECE = 64 * 1024;

interface Packing {
  /** Contents up to this size are held in memory and stored. */
  readonly stored: number;
  readonly larger: ZlibOptions;
}

const TEXT: Packing = { stored: 0, larger: { level: LEVEL } };
/** Each piece of rows can be unpacked alone: a damaged byte costs the rest of its piece only. */
const ROWS: Packing = { stored: 0, larger: { level: LEVEL, flush: constants.Z_FULL_FLUSH } };
/** Packing them saves nothing. Level 0 copies larger ones at the speed of the disk. */
const MEDIUM: Packing = { stored: 8 * 1024 * 1024, larger: { level: 0 } };
/** Packing saves less than a hundredth of the medium, and takes longer than reading the text. */
const TEXT_OF_MEDIUM: Packing = { stored: 4096, larger: { level: LEVEL } };

const MEDIA = /\.(?:jpe?g|png|gif|webp|avif|heic|mp4|m4v|mov|webm|mp3|m4a|ogg|zip|omanual|gz|7z|docx|xlsx|pptx)$/i;
const TEXTS_OF_MEDIA = /^items\/(?:image|video|document)\//;

function packingOf(path: string): Packing {
  if (TEXTS_OF_MEDIA.test(path)) return TEXT_OF_MEDIUM;
  if (MEDIA.test(path)) return MEDIUM;
  return path.endsWith(".ndjson") ? ROWS : TEXT;
}

/**
 * The packing depends on path and content only, not on the form or the pieces of the content, so
 * that the same input gives the same bytes. A content of unknown size is never stored, and an empty
 * one always is: readers that do not seek (Java) refuse sizes after a stored content.
 */
function append(zip: ZipWriter, path: string, content: Content): Promise<void> | undefined {
  if (content instanceof PackedRows) return content.addTo(zip, path);
  const packing = packingOf(path);
  const whole = typeof content === "string" ? Buffer.from(content) : content;
  if (Buffer.isBuffer(whole) && whole.length <= packing.stored) return zip.store(path, whole);
  if (Buffer.isBuffer(whole) && packing !== MEDIUM) {
    if (whole.length <= AT_ONCE) return zip.deflate(path, whole, LEVEL);
    return zip.deflateStream(path, [whole], { level: LEVEL });
  }
  return appendPieces(zip, path, whole, packing);
}

async function appendPieces(
  zip: ZipWriter,
  path: string,
  content: Readable | Buffer,
  { stored, larger }: Packing,
): Promise<void> {
  const pieces = piecesOf(content);
  const held: Buffer[] = [];
  let size = 0;
  for (let step = await pieces.next(); step.done !== true; step = await pieces.next()) {
    held.push(step.value);
    size += step.value.length;
    if (size > stored) {
      const rest = chain(held, pieces);
      return zip.deflateStream(path, larger.level === 0 ? even(rest) : rest, larger);
    }
  }
  await zip.store(path, Buffer.concat(held));
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
    // This closes the caller's stream also when the reader stops early.
    await rest.return(undefined);
  }
}

/** Pieces of equal length: the output of deflate at level 0 depends on the pieces it gets. */
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
