import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ZipArchive } from "archiver";
import type { Blocks } from "./blocks.js";
import { type Content, packContent } from "./packed-content.js";
import { createQuickZip } from "./quick-zip.js";

/** One file of an archive to be written. */
export interface NewEntry {
  /** As `Files.paths` has them: relative, slashes, NFC. */
  readonly path: string;
  readonly content: Content;
}

/** The oldest date that the format has: archives of the same input are the same, whenever they are written. */
const DATE = new Date(Date.UTC(1980, 0, 1));
const MODE = 0o644;

/**
 * The bytes of a zip archive with these entries, in order, given to `write`. Whatever fails first, `write`, a content or the caller, ends the
 * others with its own error.
 */
export async function packEntries(
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
  /** Resolves at the next of these events: an entry is packed, or archiver has room again. Throws the reason of `ended`. */
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
