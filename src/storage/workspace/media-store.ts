import { createHash } from "node:crypto";
import { createReadStream, readFileSync, rmSync, statSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { Opened } from "../../core/contracts.js";
import { ConnectionError, EXIT, StatusError, WorkspaceError } from "../../core/errors.js";
import type { Content } from "../../core/model/item.js";
import { systemClock } from "../../core/util/clock.js";
import { storageError } from "../storage-error.js";
import { EndsEarly, IncomingFile } from "./incoming-file.js";
import { type Layout, moveInto, temporaryFile, withTemporary } from "./layout.js";

/** Contents outside the folder: those in archives of a repository. */
export interface Elsewhere {
  has(sha256: string): boolean;
  /** A new stream at each call. Throws when the bytes can't be read. */
  open(sha256: string): Promise<Readable>;
}

export interface MediaReader {
  /** In the folder, or elsewhere. */
  has(sha256: string): boolean;
  /** A new stream at each call. Throws WorkspaceError when the content is missing. */
  open(sha256: string): Readable;
  /** The path of the file, which may not exist. */
  path(sha256: string): string;
  /** Do the stored bytes match their sha256? Throws WorkspaceError when they can't be read. */
  verify(sha256: string): Promise<boolean>;
}

export interface MediaStore extends MediaReader {
  /**
   * Stores bytes: streamed, hashed, resumed after an interruption (6 attempts, with waits), durable
   * when it resolves. If the host announces no length, and the bytes stop before the end of their
   * format or are fewer than `reportedSize` returns, they are requested again. The same bytes in
   * three attempts are stored with `endsEarly: "once"`.
   *
   * @param open gets the position to continue from
   * @param onBytes gets the number of bytes of each piece
   * @param reportedSize the size from another source, only asked when the host announces none;
   * default: unknown
   * @throws ConnectionError when the bytes are incomplete or empty, the errors of `open`,
   * WorkspaceError for the disk, and the signal's reason; then nothing is left on the disk
   */
  receive(
    open: (from: number) => Promise<Opened>,
    signal: AbortSignal,
    onBytes?: (count: number) => void,
    reportedSize?: () => Promise<number | undefined>,
  ): Promise<Content>;
  isHere(sha256: string): boolean;
  /** The contents in the folder itself, unordered. */
  here(): AsyncIterable<string>;
  remove(sha256: string): Promise<void>;
}

/** `wait`: milliseconds before the next attempt, after `failed` attempts. */
export function createMediaStore(
  layout: Layout,
  wait: (failed: number) => number,
  elsewhere: Elsewhere = NOWHERE,
): MediaStore {
  const isHere = (sha256: string): boolean => storedSize(layout.content(sha256)) > 0;
  const open = (sha256: string): Readable => {
    const file = layout.content(sha256);
    const size = storedSize(file);
    if (size > 0) return size > SMALL ? createReadStream(file) : Readable.from(readAtOnce(file), { objectMode: false });
    if (elsewhere.has(sha256)) return Readable.from(fetched(elsewhere, sha256), { objectMode: false });
    throw missing(file);
  };
  return {
    has: (sha256) => isHere(sha256) || elsewhere.has(sha256),
    path: (sha256) => layout.content(sha256),
    open,
    verify: (sha256) => {
      const file = layout.content(sha256);
      const isElsewhere = !isHere(sha256) && elsewhere.has(sha256);
      return verifyContent(file, isElsewhere ? open(sha256) : createReadStream(file), sha256);
    },
    receive: (open, signal, onBytes = () => undefined, reportedSize = async () => undefined) =>
      receive(layout, { open, signal, onBytes, reportedSize, wait }),
    isHere,
    here: () => contentsIn(layout),
    remove: (sha256) => removeContent(layout.content(sha256)),
  };
}

const NOWHERE: Elsewhere = {
  has: () => false,
  open: () => Promise.reject(new TypeError("No content is stored elsewhere.")),
};

/** Bytes of a file that is read at once: a stream of it takes four calls of Node's threads. */
const SMALL = 128 * 1024;

function* readAtOnce(file: string): Generator<Buffer> {
  yield readFileSync(file);
}

/** In bytes; 0: it does not exist, or is empty as after a failed repair of the disk. */
function storedSize(file: string): number {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats?.isFile() === true ? stats.size : 0;
}

async function* fetched(elsewhere: Elsewhere, sha256: string): AsyncGenerator<Buffer> {
  yield* await elsewhere.open(sha256);
}

function missing(file: string): WorkspaceError {
  return new WorkspaceError(
    `The media file ${file} does not exist. Run the extract again: it fetches missing media. In the workspace of a backup, media are moved into the ` +
      "archives: use `guideferry restore` with the repository.",
    { exitCode: EXIT.someFailed },
  );
}

async function verifyContent(file: string, content: Readable, sha256: string): Promise<boolean> {
  const hash = createHash("sha256");
  try {
    for await (const piece of content) hash.update(piece);
  } catch (error) {
    throw storageError(error, `reading ${file}`);
  }
  return hash.digest("hex") === sha256;
}

const SHA256 = /^[0-9a-f]{64}$/;

async function* contentsIn({ media }: Layout): AsyncGenerator<string> {
  const list = async (folder: string): Promise<readonly string[]> => {
    try {
      return await readdir(folder);
    } catch (error) {
      throw storageError(error, `reading ${folder}`);
    }
  };
  for (const folder of await list(media)) yield* (await list(join(media, folder))).filter((name) => SHA256.test(name));
}

async function removeContent(file: string): Promise<void> {
  try {
    await rm(file, { force: true });
  } catch (error) {
    throw storageError(error, `removing ${file}`);
  }
}

/** As for every read of a site: one attempt and five repetitions. */
const TRIES = 6;
/** Attempts with the same bytes after which a file that stops early is stored as it is. */
const SAME_TRIES = 3;
const RANGE_NOT_SATISFIABLE = 416;

interface Delivery {
  readonly open: (from: number) => Promise<Opened>;
  readonly signal: AbortSignal;
  readonly onBytes: (count: number) => void;
  readonly reportedSize: () => Promise<number | undefined>;
  /** Milliseconds before the next attempt, after `failed` attempts. */
  readonly wait: (failed: number) => number;
}

async function receive(layout: Layout, delivery: Delivery): Promise<Content> {
  const temporary = temporaryFile(layout);
  try {
    const content = await withTemporary(temporary, (descriptor) => download(descriptor, temporary, delivery));
    await keepContent(layout, temporary, content);
    return content;
  } catch (error) {
    rmSync(temporary, { force: true });
    throw storageError(error, `storing media in ${layout.media}`);
  }
}

async function download(descriptor: number, temporary: string, delivery: Delivery): Promise<Content> {
  const file = new IncomingFile(descriptor, temporary, delivery.reportedSize);
  const arrived = await untilWhole(file, delivery);
  return { sha256: file.digest(), size: file.size, ...arrived };
}

/** Returns the type of the last answer, and whether the bytes stop before the end of the format. */
async function untilWhole(file: IncomingFile, delivery: Delivery): Promise<Pick<Content, "type" | "endsEarly">> {
  let same: { readonly sha256: string; readonly tries: number } | undefined;
  for (let failed = 1; ; failed += 1) {
    delivery.signal.throwIfAborted();
    const opened = await openRest(file.size, delivery);
    const { type } = opened;
    const cut = await file.take(opened, delivery.signal, delivery.onBytes);
    if (cut === undefined) return file.endsEarly ? { type, endsEarly: "confirmed" } : { type };
    if (cut instanceof EndsEarly) {
      same = { sha256: cut.sha256, tries: same?.sha256 === cut.sha256 ? same.tries + 1 : 1 };
      if (same.tries === SAME_TRIES) return { type, endsEarly: "once" };
    }
    if (failed === TRIES) throw incomplete(cut);
    await systemClock.sleep(delivery.wait(failed), delivery.signal);
  }
}

async function openRest(from: number, delivery: Delivery): Promise<Opened> {
  try {
    return await delivery.open(from);
  } catch (error) {
    const beyondTheEnd = from > 0 && error instanceof StatusError && error.status === RANGE_NOT_SATISFIABLE;
    if (!beyondTheEnd) throw error;
    // The host has fewer bytes than are stored, so the file has changed there.
    return delivery.open(0);
  }
}

function incomplete(cut: Error): ConnectionError {
  return new ConnectionError(
    `The media file did not arrive completely in ${TRIES} attempts: ${cut.message} Run the same command again to fetch it again.`,
    { cause: cut, retriable: false },
  );
}

/** An existing file of the same size has the same bytes; with another size it is damaged. */
async function keepContent(layout: Layout, temporary: string, content: Content): Promise<void> {
  const file = layout.content(content.sha256);
  const isThere = statSync(file, { throwIfNoEntry: false })?.size === content.size;
  if (isThere) rmSync(temporary);
  else await moveInto(temporary, file);
}
