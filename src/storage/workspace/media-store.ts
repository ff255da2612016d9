import { createHash } from "node:crypto";
import { createReadStream, readFileSync, statSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { Opened } from "../../core/contracts.js";
import { ConnectionError, EXIT, StatusError, WorkspaceError } from "../../core/errors.js";
import type { Content } from "../../core/model/item.js";
import type { Key } from "../../core/model/key.js";
import { systemClock } from "../../core/util/clock.js";
import { readAtOnce } from "../../core/util/files.js";
import { storageError } from "../storage-error.js";
import { type CommitBatches, discard, type KeepFiles, type StagedFile } from "./commit-batches.js";
import { EndsEarly, IncomingFile, type IncomingFileOptions } from "./incoming-file.js";
import { createPrivate, type Layout, temporaryFile } from "./layout.js";

/** Files outside the folder: in archives of a repository, or in the object storage of a fleet. */
export interface Elsewhere {
  has(sha256: string): boolean;
  /** A new stream at each call. Throws when the bytes can't be read. */
  open(sha256: string): Promise<Readable>;
  /** The file of an item, by the digest of its entry. Default: it has no items. */
  item?(key: Key, digest: string): Promise<Buffer | undefined>;
  /** Default: new files are in the folder only. */
  readonly keep?: KeepFiles;
}

export interface MediaReader {
  /** In the folder, or elsewhere. */
  has(sha256: string): boolean;
  /** A new stream at each call. Throws WorkspaceError when the content is missing. */
  open(sha256: string): Readable;
  /** The same, with the bytes of a small file read at once. */
  read(sha256: string): Readable | Buffer;
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
   * @throws ConnectionError when the bytes are incomplete or empty, the errors of `open`,
   * WorkspaceError for the disk, and the signal's reason; then nothing is left on the disk
   */
  receive(
    open: (from: number) => Promise<Opened>,
    signal: AbortSignal,
    options?: IncomingFileOptions,
  ): Promise<Content>;
  /** Like `receive`, but the bytes become durable with the item that gets the file. */
  receiveFile(
    open: (from: number) => Promise<Opened>,
    signal: AbortSignal,
    options?: IncomingFileOptions,
  ): Promise<ReceivedFile>;
  isHere(sha256: string): boolean;
  /** The contents in the folder itself, unordered. */
  here(): AsyncIterable<string>;
  remove(sha256: string): Promise<void>;
}

/** For `ItemStore.putWithOthers`. */
export interface ReceivedFile {
  readonly content: Content;
  /** undefined: the content was stored before. */
  readonly file: StagedFile | undefined;
  /** The first `most` bytes or some more; until the item is stored. `into`: memory for them. */
  head(most: number, into?: Buffer): Buffer;
}

interface MediaStoreParts {
  readonly layout: Layout;
  readonly batches: CommitBatches;
  /** Milliseconds before the next attempt, after `failed` attempts. */
  readonly wait: (failed: number) => number;
  readonly elsewhere?: Elsewhere | undefined;
}

export function createMediaStore({ layout, batches, wait, elsewhere }: MediaStoreParts): MediaStore {
  const receiveFile: MediaStore["receiveFile"] = async (open, signal, options = {}) => {
    await batches.room();
    return receive(layout, { ...options, open, signal, wait });
  };
  return {
    ...createMediaReader(layout, elsewhere),
    receiveFile,
    receive: async (open, signal, options) => {
      const { content, file } = await receiveFile(open, signal, options);
      if (file !== undefined) await batches.add({ files: [file] });
      return content;
    },
    isHere: (sha256) => storedSize(layout.content(sha256)) > 0,
    here: () => contentsIn(layout),
    remove: (sha256) => removeContent(layout.content(sha256)),
  };
}

export function createMediaReader(layout: Layout, elsewhere: Elsewhere = NOWHERE): MediaReader {
  const isHere = (sha256: string): boolean => storedSize(layout.content(sha256)) > 0;
  const fetch = (sha256: string): Readable => {
    if (elsewhere.has(sha256)) return Readable.from(fetched(elsewhere, sha256), { objectMode: false });
    throw missing(layout.content(sha256));
  };
  const open = (sha256: string): Readable => {
    const file = layout.content(sha256);
    const size = storedSize(file);
    if (size === 0) return fetch(sha256);
    return size > SMALL ? createReadStream(file) : Readable.from(wholeFile(file), { objectMode: false });
  };
  return {
    has: (sha256) => isHere(sha256) || elsewhere.has(sha256),
    path: (sha256) => layout.content(sha256),
    open,
    read: (sha256) => {
      const file = layout.content(sha256);
      const size = storedSize(file);
      if (size === 0) return fetch(sha256);
      return size > SMALL ? createReadStream(file) : readFileSync(file);
    },
    verify: (sha256) => {
      const file = layout.content(sha256);
      const isElsewhere = !isHere(sha256) && elsewhere.has(sha256);
      return verifyContent(file, isElsewhere ? open(sha256) : createReadStream(file), sha256);
    },
  };
}

const NOWHERE: Elsewhere = {
  has: () => false,
  open: () => Promise.reject(new TypeError("No content is stored elsewhere.")),
};

/** Bytes of a file that is read at once: a stream of it takes four calls of Node's threads. */
const SMALL = 128 * 1024;

function* wholeFile(file: string): Generator<Buffer> {
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

interface Delivery extends IncomingFileOptions {
  readonly open: (from: number) => Promise<Opened>;
  readonly signal: AbortSignal;
  /** Milliseconds before the next attempt, after `failed` attempts. */
  readonly wait: (failed: number) => number;
}

async function receive(layout: Layout, delivery: Delivery): Promise<ReceivedFile> {
  let open: Pick<StagedFile, "descriptor" | "temporary"> | undefined;
  try {
    const temporary = temporaryFile(layout);
    open = { descriptor: createPrivate(temporary), temporary };
    const incoming = new IncomingFile(open.descriptor, temporary, delivery);
    const arrived = await untilWhole(incoming, delivery);
    const content = { sha256: incoming.digest(), size: incoming.size, ...arrived };
    const staged = { ...open, file: layout.content(content.sha256) };
    // An existing file of the same size has the same bytes; with another size it is damaged.
    const isThere = statSync(staged.file, { throwIfNoEntry: false })?.size === content.size;
    if (isThere) discard(staged);
    const { file, temporary: unnamed } = staged;
    const head: ReceivedFile["head"] = (most, into) =>
      incoming.head(most) ?? readAtOnce(isThere ? file : unnamed, most, into);
    return { content, file: isThere ? undefined : staged, head };
  } catch (error) {
    if (open !== undefined) discard(open);
    throw storageError(error, `storing media in ${layout.media}`);
  }
}

/** Returns the type of the last answer, and whether the bytes stop before the end of the format. */
async function untilWhole(file: IncomingFile, delivery: Delivery): Promise<Pick<Content, "type" | "endsEarly">> {
  let same: { readonly sha256: string; readonly tries: number } | undefined;
  for (let failed = 1; ; failed += 1) {
    delivery.signal.throwIfAborted();
    const opened = await openRest(file.size, delivery);
    const { type } = opened;
    const cut = await file.take(opened, delivery.signal);
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
