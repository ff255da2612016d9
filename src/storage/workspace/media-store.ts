import { createHash } from "node:crypto";
import { createReadStream, rmSync, statSync } from "node:fs";
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

/** Contents that are not in the folder and still are held: those that lie in an archive. */
export interface Elsewhere {
  has(sha256: string): boolean;
  /** The bytes, fresh at each call. Throws where they can't be had. */
  open(sha256: string): Promise<Readable>;
}

/** The bytes, for those who only look. */
export interface MediaReader {
  /** In the folder, or elsewhere. */
  has(sha256: string): boolean;
  /** The bytes, fresh at each call. Throws WorkspaceError when there are none. */
  open(sha256: string): Readable;
  /** Where the file is, if it is in the folder. */
  path(sha256: string): string;
  /**
   * Hashes the stored bytes again: are they what their name says? Throws WorkspaceError when they
   * can't be read.
   */
  verify(sha256: string): Promise<boolean>;
}

/** The media of a workspace, each content once. */
export interface MediaStore extends MediaReader {
  /**
   * Takes bytes in: streamed, hashed, resumed after a cut (6 tries in all, with waits), durable
   * when it resolves. Where no length is announced and the bytes stop before the end of their
   * format, or are fewer than `told` says, they are asked for again; three tries with the same
   * bytes are taken with `endsEarly: "once"`. `told` is asked for the bytes of the whole only where
   * the host announces none; undefined: nobody tells. Default: nobody does. `open` is called with
   * the position to go on from. `onBytes` gets the number of bytes of each piece that arrived.
   * Throws ConnectionError when the bytes don't come whole or are none, what `open` throws,
   * WorkspaceError for the disk, and the signal's reason when it is aborted; nothing is left behind
   * then.
   */
  receive(
    open: (from: number) => Promise<Opened>,
    signal: AbortSignal,
    onBytes?: (count: number) => void,
    told?: () => Promise<number | undefined>,
  ): Promise<Content>;
  /** Is the file in the folder itself? */
  isHere(sha256: string): boolean;
  /** The contents in the folder itself, in no order. */
  here(): AsyncIterable<string>;
  /** Takes the file from the folder. */
  remove(sha256: string): Promise<void>;
}

/** `wait`: milliseconds before the next try, after `failed` tries. */
export function createMediaStore(
  layout: Layout,
  wait: (failed: number) => number,
  elsewhere: Elsewhere = NOWHERE,
): MediaStore {
  const isHere = (sha256: string): boolean => isStored(layout.content(sha256));
  const open = (sha256: string): Readable => {
    const file = layout.content(sha256);
    if (isStored(file)) return createReadStream(file);
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
    receive: (open, signal, onBytes = () => undefined, told = async () => undefined) =>
      receive(layout, { open, signal, onBytes, told, wait }),
    isHere,
    here: () => contentsIn(layout),
    remove: (sha256) => removeContent(layout.content(sha256)),
  };
}

const NOWHERE: Elsewhere = {
  has: () => false,
  open: () => Promise.reject(new TypeError("Nothing lies elsewhere.")),
};

/** Is the file there, and not empty (as a broken disk repair may leave it)? */
function isStored(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.size > 0;
}

async function* fetched(elsewhere: Elsewhere, sha256: string): AsyncGenerator<Buffer> {
  yield* await elsewhere.open(sha256);
}

function missing(file: string): WorkspaceError {
  return new WorkspaceError(
    `The media file ${file} is not there. Run the extract again: it fetches what is missing. In the workspace of a backup, media lie in the ` +
      "archives once these are written: use `guideferry restore` with the repository.",
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

/** As for every read of a site: the first one and five more. */
const TRIES = 6;
/**
 * A file without a length that stops before its end is taken as it is when these many tries brought
 * the same bytes.
 */
const SAME_TRIES = 3;
const RANGE_NOT_SATISFIABLE = 416;

/** What the one who wants bytes gives; see MediaStore.receive. */
interface Delivery {
  readonly open: (from: number) => Promise<Opened>;
  readonly signal: AbortSignal;
  readonly onBytes: (count: number) => void;
  readonly told: () => Promise<number | undefined>;
  /** Milliseconds before the next try, after so many failed ones. */
  readonly wait: (failed: number) => number;
}

/** See MediaStore.receive. */
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
  const file = new IncomingFile(descriptor, temporary, delivery.told);
  const arrived = await untilWhole(file, delivery);
  return { sha256: file.digest(), size: file.size, ...arrived };
}

/**
 * Returns the type that the last answer gave, and whether the bytes stop before the end of their
 * format.
 */
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
    // The host holds less than we have: it is another file by now.
    return delivery.open(0);
  }
}

function incomplete(cut: Error): ConnectionError {
  return new ConnectionError(
    `The media file did not come whole in ${TRIES} tries: ${cut.message} Run the same command again to fetch it anew.`,
    { cause: cut, retriable: false },
  );
}

/**
 * A file of the same name and size has the same bytes; one of another size is what a broken disk
 * left.
 */
async function keepContent(layout: Layout, temporary: string, content: Content): Promise<void> {
  const file = layout.content(content.sha256);
  const isThere = statSync(file, { throwIfNoEntry: false })?.size === content.size;
  if (isThere) rmSync(temporary);
  else await moveInto(temporary, file);
}
