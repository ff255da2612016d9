import { createHash } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Opened } from "../contracts.js";
import { EXIT, WorkspaceError } from "../errors.js";
import type { Content } from "../model/media.js";
import type { Layout } from "./layout.js";
import { receive } from "./receive.js";
import { storageError } from "./storage-error.js";

/** The bytes, for those who only look. */
export interface MediaReader {
  has(sha256: string): boolean;
  /** The bytes, fresh at each call. Throws WorkspaceError when there are none. */
  open(sha256: string): Readable;
  path(sha256: string): string;
  /** Hashes the stored bytes again: are they what their name says? Throws WorkspaceError when they can't be read. */
  verify(sha256: string): Promise<boolean>;
}

/** The media of a workspace, each content once. */
export interface MediaStore extends MediaReader {
  /**
   * Takes bytes in: streamed, hashed, resumed after a cut (6 tries in all, with waits), durable when it resolves.
   * `open` is called with the position to go on from. `onBytes` gets the number of bytes of each piece that arrived.
   * Throws ConnectionError when the bytes don't come whole or are none, what `open` throws, WorkspaceError for the disk, and the
   * signal's reason when it is aborted; nothing is left behind then.
   */
  receive(
    open: (from: number) => Promise<Opened>,
    signal: AbortSignal,
    onBytes?: (count: number) => void,
  ): Promise<Content>;
}

/** `wait`: milliseconds before the next try, after `failed` tries. */
export function createMediaStore(layout: Layout, wait: (failed: number) => number): MediaStore {
  return {
    has: (sha256) => isStored(layout.content(sha256)),
    path: (sha256) => layout.content(sha256),
    open: (sha256) => openContent(layout.content(sha256)),
    verify: (sha256) => verifyContent(layout.content(sha256), sha256),
    receive: (open, signal, onBytes = () => undefined) => receive(layout, { open, signal, onBytes, wait }),
  };
}

/** Is the file there, and not empty (as a broken disk repair may leave it)? */
function isStored(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.size > 0;
}

function openContent(file: string): Readable {
  if (isStored(file)) return createReadStream(file);
  throw new WorkspaceError(`The media file ${file} is not there. Run the extract again: it fetches what is missing.`, {
    exitCode: EXIT.someFailed,
  });
}

async function verifyContent(file: string, sha256: string): Promise<boolean> {
  const hash = createHash("sha256");
  try {
    await pipeline(createReadStream(file), hash);
  } catch (error) {
    throw storageError(error, `reading ${file}`);
  }
  return hash.digest("hex") === sha256;
}
