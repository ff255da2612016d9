import { once } from "node:events";
import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { ZipArchive } from "archiver";
import { makeBeside } from "./beside.js";
import { checkNames } from "./check-names.js";
import { checkPath } from "./check-path.js";
import { onDisk } from "./disk-error.js";
import { FindingList } from "./finding-list.js";
import { DEFAULT_LIMITS } from "./limits.js";
import { type Content, packContent } from "./packed-content.js";
import { refusalToWrite } from "./refusal.js";

/** One file of an archive to be written. */
export interface NewEntry {
  /** As `Files.paths` has them: relative, slashes, NFC. */
  readonly path: string;
  readonly content: Content;
}

/** The oldest date that the format has: archives of the same input are the same, whenever they are written. */
const DATE = new Date(Date.UTC(1980, 0, 1));
const MODE = 0o644;
const WRITTEN_AT_ONCE = 256 * 1024;

/**
 * Writes a zip archive: the entries in the order given, each streamed. The same input gives the same bytes (with the same build of Node).
 * The file is whole, synced and under its name, or it is as it was before; one that stands there is replaced. Throws ArchiveError for names
 * that the guard would refuse, when the disk fails, and whatever a content or `entries` throws.
 */
export async function writeArchive(
  path: string,
  entries: AsyncIterable<NewEntry> | Iterable<NewEntry>,
  options: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  await makeBeside(path, `writing ${path}`, (temporary) => writeTo(temporary, path, entries, options.signal));
}

/**
 * The bytes of an archive, in order, given to `write`, which is waited for each time. `path` names it in messages. Throws as
 * `writeArchive` does, and what `write` throws; what was written until then is no archive.
 */
export async function packInto(
  path: string,
  write: (bytes: Buffer) => Promise<void>,
  entries: AsyncIterable<NewEntry> | Iterable<NewEntry>,
  signal?: AbortSignal,
): Promise<void> {
  await pack(write, checked(path, entries), signal);
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

/** Whatever fails first, the disk, a content or the caller, ends the others with its own error. */
async function pack(
  write: (bytes: Buffer) => Promise<void>,
  entries: AsyncIterable<NewEntry>,
  signal: AbortSignal | undefined,
): Promise<void> {
  // Archiver asks the same object for each entry that it packs, one at a time.
  const zlib: { level: number } = { level: 6 };
  const archive = new ZipArchive({ zlib });
  const failed = new AbortController();
  const ended = signal === undefined ? failed.signal : AbortSignal.any([failed.signal, signal]);
  const fail = (error: unknown): void => failed.abort(error);
  const written = drain(archive, write).catch(fail);
  try {
    for await (const entry of entries) {
      ended.throwIfAborted();
      await append(archive, zlib, entry, ended, fail);
      await room(archive, ended);
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

/** Archiver gives every field of a header as a piece of its own; written one by one they would take most of the time. */
async function drain(archive: ZipArchive, write: (bytes: Buffer) => Promise<void>): Promise<void> {
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const piece of archive) {
    held.push(piece);
    bytes += piece.length;
    if (bytes < WRITTEN_AT_ONCE) continue;
    await write(Buffer.concat(held));
    [held, bytes] = [[], 0];
  }
  await write(Buffer.concat(held));
}

/** One at a time: archiver keeps the order only then. Its own piping loses the errors of a source, so they are listened to here. */
async function append(
  archive: ZipArchive,
  zlib: { level: number },
  { path, content }: NewEntry,
  ended: AbortSignal,
  fail: (error: unknown) => void,
): Promise<void> {
  const close = (): void => {
    if (content instanceof Readable) content.destroy(ended.aborted ? ended.reason : undefined);
  };
  ended.addEventListener("abort", close, { once: true });
  try {
    const packed = await packContent(path, content);
    zlib.level = packed.level;
    const appended = once(archive, "entry", { signal: ended });
    if (!Buffer.isBuffer(packed.content)) packed.content.once("error", fail);
    archive.append(packed.content, { name: path, date: DATE, mode: MODE, store: packed.store });
    await appended;
  } catch (error) {
    close();
    ended.throwIfAborted();
    throw error;
  } finally {
    ended.removeEventListener("abort", close);
  }
}

/** Archiver takes a stored content whole and at once: without this it would hold an archive that a slow disk can't take as fast. */
async function room(archive: ZipArchive, ended: AbortSignal): Promise<void> {
  while (archive.writableNeedDrain) {
    await once(archive, "drain", { signal: ended }).catch((error: unknown) => {
      ended.throwIfAborted();
      throw error;
    });
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
