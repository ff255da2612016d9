import { open } from "node:fs/promises";
import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, crc32, deflateRawSync, type ZlibOptions } from "node:zlib";
import { ZipArchive } from "archiver";
import { FerryError } from "../../core/errors.js";
import { makeBeside } from "./beside.js";
import { AT_ONCE, Blocks } from "./blocks.js";
import { onDisk } from "./disk-error.js";
import { checkNames, checkPath } from "./entry-names.js";
import { FindingList, refusalToWrite } from "./findings.js";
import { DEFAULT_LIMITS } from "./limits.js";

/**
 * Writes a zip archive: the entries in the order given, each streamed. The same input gives the
 * same bytes (with the same build of Node). The file is whole, synced and under its name, or it is
 * as it was before; one that stands there is replaced. Throws ArchiveError for names that the guard
 * would refuse, when the disk fails, and whatever a content or `entries` throws.
 */
export async function writeArchive(
  path: string,
  entries: AsyncIterable<NewEntry> | Iterable<NewEntry>,
  options: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  await makeBeside(path, `writing ${path}`, (temporary) => writeTo(temporary, path, entries, options.signal));
}

/**
 * The bytes of an archive, in order, given to `write`, which is waited for each time; then their
 * memory is used again. `path` names it in messages. Throws as `writeArchive` does, and what
 * `write` throws; what was written until then is no archive. The memory of a content that is a
 * Buffer of up to `AT_ONCE` bytes is the caller's again when the next entry is asked for.
 */
export async function packInto(
  path: string,
  write: (bytes: Buffer) => Promise<void>,
  entries: AsyncIterable<NewEntry> | Iterable<NewEntry>,
  signal?: AbortSignal,
): Promise<void> {
  await packEntries(write, checked(path, entries), signal);
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

/** Archiver would write any name, and one twice. */
async function* checked(path: string, entries: AsyncIterable<NewEntry> | Iterable<NewEntry>): AsyncGenerator<NewEntry> {
  const findings = new FindingList(DEFAULT_LIMITS.findings);
  const names: { readonly path: string; readonly spelling: string; readonly isFolder: false }[] = [];
  for await (const entry of entries) {
    const { path: tidy, spelling, faults } = checkPath(entry.path, DEFAULT_LIMITS);
    names.push({ path: tidy, spelling, isFolder: false });
    for (const { code, detail } of faults) findings.add(code, entry, detail);
    if (tidy !== entry.path) findings.add("E_ZIP_PATH_INVALID", entry, "its name is not in the form that is written");
    if (findings.isRefused) break;
    yield entry;
  }
  checkNames(names, findings);
  if (names.length === 0) findings.add("E_ZIP_EMPTY", null, "it has no entries");
  if (findings.isRefused) throw refusalToWrite(path, { findings: findings.all, findingsLeft: findings.left });
}

/** One file of an archive to be written. */
export interface NewEntry {
  /** As `Files.paths` has them: relative, slashes, NFC. */
  readonly path: string;
  readonly content: Content;
}

/**
 * The oldest date that the format has: archives of the same input are the same, whenever they are
 * written.
 */
const DATE = new Date(Date.UTC(1980, 0, 1));
const MODE = 0o644;

/**
 * The bytes of a zip archive with these entries, in order, given to `write`. Whatever fails first,
 * `write`, a content or the caller, ends the others with its own error.
 */
async function packEntries(
  write: (bytes: Buffer) => Promise<void>,
  entries: AsyncIterable<NewEntry>,
  signal: AbortSignal | undefined,
): Promise<void> {
  // Archiver asks the same object for each entry that it packs, one at a time.
  const zlib: Zlib = { level: 6 };
  const { archive, blocks } = createQuickZip(zlib);
  const failed = new AbortController();
  const ended = signal === undefined ? failed.signal : AbortSignal.any([failed.signal, signal]);
  const fail = (error: unknown): void => failed.abort(error);
  const written = pipeline(archive, sinkOf(write, blocks)).catch(fail);
  const packing: Packing = { archive, zlib, ended, fail, next: nextOf(archive, ended) };
  try {
    for await (const entry of entries) {
      ended.throwIfAborted();
      await append(packing, entry);
      while (archive.writableNeedDrain) await packing.next("drain");
    }
    await Promise.race([archive.finalize(), written]);
    await written;
    failed.signal.throwIfAborted();
  } catch (error) {
    archive.destroy();
    await written;
    throw error;
  }
}

/** Options of zlib, as they are for the entry that is packed. */
interface Zlib {
  level: number;
  flush?: number;
}

interface Packing {
  readonly archive: ZipArchive;
  readonly zlib: Zlib;
  readonly ended: AbortSignal;
  readonly fail: (error: unknown) => void;
  /**
   * Resolves at the next of these events: an entry is packed, or archiver has room again. Throws
   * the reason of `ended`.
   */
  readonly next: (event: Event) => Promise<void>;
}

type Event = "entry" | "drain";

function sinkOf(write: (bytes: Buffer) => Promise<void>, blocks: Blocks): Writable {
  return new Writable({
    write: (bytes: Buffer, _encoding, done) => {
      write(bytes).then(() => {
        blocks.giveBack(bytes);
        done();
      }, done);
    },
  });
}

/** One listener for all entries: to listen anew for each of them takes longer than to pack it. */
function nextOf(archive: ZipArchive, ended: AbortSignal): Packing["next"] {
  let waiting:
    | { readonly event: Event; readonly resolve: () => void; readonly reject: (reason: unknown) => void }
    | undefined;
  for (const event of ["entry", "drain"] as const) {
    archive.on(event, () => {
      if (waiting?.event === event) waiting.resolve();
    });
  }
  ended.addEventListener("abort", () => waiting?.reject(ended.reason), { once: true });
  return (event) =>
    new Promise((resolve, reject) => {
      waiting = { event, resolve, reject };
      if (ended.aborted) reject(ended.reason);
    });
}

/** One at a time: archiver keeps the order only then. */
async function append(packing: Packing, { path, content }: NewEntry): Promise<void> {
  if (!(content instanceof Readable)) {
    await appendPacked(packing, path, content);
    return;
  }
  const { ended } = packing;
  const close = (): void => void content.destroy(ended.aborted ? ended.reason : undefined);
  ended.addEventListener("abort", close, { once: true });
  try {
    await appendPacked(packing, path, content);
  } catch (error) {
    close();
    ended.throwIfAborted();
    throw error;
  } finally {
    ended.removeEventListener("abort", close);
  }
}

/** archiver's own piping loses the errors of a source, so they are listened to here. */
async function appendPacked({ archive, zlib, next, fail }: Packing, path: string, content: Content): Promise<void> {
  const packed = await packContent(path, content);
  zlib.level = packed.level;
  if (packed.flush === undefined) delete zlib.flush;
  else zlib.flush = packed.flush;
  const appended = next("entry");
  if (!Buffer.isBuffer(packed.content)) packed.content.once("error", fail);
  archive.append(packed.content, { name: path, date: DATE, mode: MODE, store: packed.store });
  await appended;
}

/**
 * The content of an entry to be written. A stream is read once, when its turn comes: made before
 * that, nobody hears its errors.
 */
type Content = Readable | Buffer | string;

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
 * Media up to this size are held in memory and stored as they are; packing them again costs time
 * and saves nothing. Larger ones are wrapped: deflate at level 0 copies them at the speed of the
 * disk.
 */
const STORED_BYTES = 8 * 1024 * 1024;
const LEVEL = 6;
const PIECE = 64 * 1024;
/**
 * Rows, whose pieces can each be unpacked without those before: a damaged byte costs the rest of
 * its piece, not of the file.
 */
const ROWS = /\.ndjson$/;
const MEDIA = /\.(?:jpe?g|png|gif|webp|avif|heic|mp4|m4v|mov|webm|mp3|m4a|ogg|zip|omanual|gz|7z|docx|xlsx|pptx)$/i;

/**
 * Decides by path and content alone how a content is packed, never by the form that it comes in or
 * the pieces that it arrives in, so that the same input gives the same bytes. A content of unknown
 * size is never stored, and an empty one always is: readers that don't seek (Java's) refuse the
 * sizes behind a content that archiver would write for these.
 */
async function packContent(path: string, content: Content): Promise<PackedContent> {
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

/**
 * Pieces of one length: what deflate makes of bytes that it only wraps depends on the pieces that
 * it gets.
 */
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

/** archiver's archive, and the blocks that come out of it. */
export interface QuickZip {
  readonly archive: ZipArchive;
  /** To be given back what came out, when it is written. */
  readonly blocks: Blocks;
}

const DEFLATED = 8;

/**
 * What archiver packs with, of version 8.0.0: package.json names that version exactly, since these
 * parts are its own affair.
 */
interface Engine extends Writable {
  /** Bytes of the archive until now. */
  offset: number;
  _appendBuffer(entry: EngineEntry, content: Buffer, done: Done): void;
  _writeLocalFileHeader(entry: EngineEntry): void;
  _afterAppend(entry: EngineEntry): void;
}

interface EngineEntry {
  getMethod(): number;
  setCrc(checksum: number): void;
  setSize(bytes: number): void;
  setCompressedSize(bytes: number): void;
}

type Done = (error: Error | null, entry: EngineEntry) => void;

/**
 * archiver as it is, byte by byte, in half of the time and with much less memory. It gives each
 * field of each header as a stream's piece of its own, the whole list of entries at the end in one
 * go, and every content that is deflated to a thread. Here the fields are joined to blocks as they
 * come, and small contents deflated where they are. `zlib` is archiver's own option, asked for at
 * each entry.
 */
export function createQuickZip(zlib: ZlibOptions): QuickZip {
  const archive = new ZipArchive({ zlib });
  const engine = engineOf(archive);
  const blocks = joinPieces(engine);
  packAtOnce(engine, zlib);
  return { archive, blocks };
}

function joinPieces(engine: Engine): Blocks {
  const write = engine.write.bind(engine) as (bytes: Buffer) => boolean;
  const end = engine.end.bind(engine);
  const blocks = new Blocks((bytes) => {
    // Its own `write` counts them a second time.
    engine.offset -= bytes.length;
    write(bytes);
  });
  engine.write = (piece: Buffer | string): boolean => {
    const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
    engine.offset += bytes.length;
    blocks.add(bytes);
    return !engine.writableNeedDrain;
  };
  engine.end = () => {
    blocks.end();
    return end();
  };
  return blocks;
}

function packAtOnce(engine: Engine, zlib: ZlibOptions): void {
  const append = engine._appendBuffer.bind(engine);
  engine._appendBuffer = (entry, content, done) => {
    if (content.length === 0 || content.length > AT_ONCE) {
      append(entry, content, done);
      return;
    }
    const packed = entry.getMethod() === DEFLATED ? deflateRawSync(content, zlib) : content;
    const note = (): void => {
      entry.setCrc(crc32(content));
      entry.setSize(content.length);
      entry.setCompressedSize(packed.length);
    };
    // What is deflated has these behind it, and nothing in their place before.
    if (packed === content) note();
    engine._writeLocalFileHeader(entry);
    engine.write(packed);
    if (packed !== content) note();
    engine._afterAppend(entry);
    done(null, entry);
  };
}

function engineOf(archive: ZipArchive): Engine {
  const module: unknown = Reflect.get(archive, "_module");
  const engine: unknown = typeof module === "object" && module !== null ? Reflect.get(module, "engine") : undefined;
  if (isEngine(engine)) return engine;
  throw new FerryError(
    "The package archiver is not the version 8.0.0 that guideferry was made with: install guideferry anew, without overriding it.",
  );
}

const PARTS = ["write", "end", "_appendBuffer", "_writeLocalFileHeader", "_afterAppend"] as const;

function isEngine(value: unknown): value is Engine {
  if (typeof value !== "object" || value === null || typeof Reflect.get(value, "offset") !== "number") return false;
  return PARTS.every((part) => typeof Reflect.get(value, part) === "function");
}
