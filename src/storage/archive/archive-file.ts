import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { createRequire } from "node:module";
import { Readable } from "node:stream";
import { ArchiveError, EXIT } from "../../core/errors.js";
import { diskError } from "./disk-error.js";

/**
 * yauzl, which is a CommonJS package: before an `import` of it, Node searches its sources for
 * exports, which takes a seventh of the processor time of a start.
 */
export const { RandomAccessReader, ZipFile, getFileNameLowLevel, parseExtraFields }: typeof import("yauzl") =
  createRequire(import.meta.url)("yauzl");

/** Bytes read ahead. Without this, a list of 100,000 entries takes 200,000 reads. */
const WINDOW = 32 * 1024;
const PIECE = 64 * 1024;

/** The source of an archive's bytes: an open file, or a file that is decrypted as it is read. */
export interface ByteReader {
  /** May read fewer bytes than `length`; 0 at the end. */
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>;
}

/**
 * Reads an archive's file at any position. Positions count from the beginning of the archive, which
 * follows the program of a self-extracting archive. It never closes the handle.
 */
export class ArchiveFile extends RandomAccessReader {
  readonly #handle: ByteReader;
  readonly #bytes: number;
  readonly #start: number;
  #window: Buffer = Buffer.alloc(0);
  #windowAt = 0;

  /** `bytes`: size of the whole file. `start`: position of the archive in it. */
  constructor(handle: ByteReader, bytes: number, start = 0) {
    super();
    this.#handle = handle;
    this.#bytes = bytes;
    this.#start = start;
  }

  /** The same file, with the archive beginning at another position. */
  startingAt(start: number): ArchiveFile {
    return new ArchiveFile(this.#handle, this.#bytes, start);
  }

  /** From the archive's beginning to the end of the file. */
  get size(): number {
    return this.#bytes - this.#start;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    this.bytesAt(position, length).then(
      (bytes) => callback(null, bytes.copy(buffer, offset)),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
    );
  }

  /** The owner of the handle closes it. */
  override close(callback: (error: Error | null) => void): void {
    callback(null);
  }

  /**
   * Fewer bytes than `length` at the end of the file. `ahead`: bytes to read for the next calls.
   */
  async bytesAt(position: number, length: number, ahead = WINDOW): Promise<Buffer> {
    if (!(position >= -this.#start && position < this.size)) return Buffer.alloc(0);
    const isInside = position >= this.#windowAt && position + length <= this.#windowAt + this.#window.length;
    if (!isInside) {
      this.#window = await this.#fill(position, Math.max(length, ahead));
      this.#windowAt = position;
    }
    const from = position - this.#windowAt;
    return this.#window.subarray(from, from + length);
  }

  /** The bytes from `start` to before `end`. Ends early at the end of the file. */
  range(start: number, end: number): Readable {
    return Readable.from(this.pieces(start, end), { objectMode: false });
  }

  /** With `memory`, each piece overwrites the previous one there. */
  async *pieces(start: number, end: number, memory?: Buffer): AsyncGenerator<Buffer> {
    for (let position = start; position < end; ) {
      const length = Math.min(memory?.length ?? PIECE, end - position);
      const piece = await (memory === undefined
        ? this.#fill(position, length)
        : this.readInto(memory, position, length));
      if (piece.length === 0) return;
      yield piece;
      position += piece.length;
    }
  }

  async #fill(position: number, length: number): Promise<Buffer> {
    return this.readInto(Buffer.allocUnsafe(Math.min(length, this.size - position)), position, length);
  }

  /**
   * Reads into `memory`, which has at least `length` bytes. Returns the part that was filled: less
   * at the end of the file.
   */
  async readInto(memory: Buffer, position: number, length: number): Promise<Buffer> {
    const wanted = Math.min(length, this.size - position);
    let filled = 0;
    while (filled < wanted) {
      const { bytesRead } = await this.#handle.read(memory, filled, wanted - filled, this.#start + position + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return memory.subarray(0, filled);
  }
}

/** Opens the file for `use` and closes it; a given handle stays open. Throws ArchiveError. */
export async function withArchive<T>(
  archive: string | FileHandle,
  use: (handle: FileHandle, bytes: number) => Promise<T>,
): Promise<T> {
  if (typeof archive !== "string") return use(archive, (await archive.stat()).size);
  const { handle, bytes } = await openFile(archive);
  try {
    return await use(handle, bytes);
  } catch (error) {
    throw diskError(error, `reading ${archive}`);
  } finally {
    await handle.close();
  }
}

/** Opens a plain file for reading. Throws ArchiveError. */
export async function openFile(path: string): Promise<{ readonly handle: FileHandle; readonly bytes: number }> {
  const handle = await openNow(path);
  const stats = await handle.stat();
  if (stats.isFile()) return { handle, bytes: stats.size };
  await handle.close();
  const what = stats.isDirectory() ? "a folder" : "not a regular file";
  throw new ArchiveError(`${path} is ${what}, but an archive was expected. Give the path of the archive's file.`, {
    exitCode: EXIT.usage,
  });
}

async function openNow(path: string): Promise<FileHandle> {
  try {
    // Opening a pipe without a writer blocks otherwise.
    return await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    throw diskError(error, `opening ${path}`);
  }
}
