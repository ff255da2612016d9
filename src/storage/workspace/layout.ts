import { createHash, randomUUID } from "node:crypto";
import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Key, kindOf, restOf } from "../../core/model/key.js";
import { syncFile, syncFolder } from "../../core/util/files.js";
import { storageError } from "../storage-error.js";
import { storedText } from "../stored-text.js";

/** Characters of a key in a file name; encrypted file systems limit names to 143 bytes. */
const READABLE_LENGTH = 80;
const HASH_LENGTH = 16;
const SHA256 = /^[0-9a-f]{64}$/;

/** Files that a run may leave that was killed while it created the workspace, and a fleet's. */
export const BEFORE_THE_STAMP: ReadonlySet<string> = new Set(["lock", "lock.json", "temporary", "fleet.json"]);

/** The paths in a workspace; docs/design/workspace.md describes the format. */
export interface Layout {
  readonly directory: string;
  readonly stamp: string;
  readonly lock: string;
  readonly state: string;
  readonly temporary: string;
  readonly items: string;
  readonly media: string;
  readonly reports: string;
  /** Rows of an encrypted snapshot, which a backup without a key compares with new ones. */
  readonly baseRows: string;
  /** Second names of the archives that a backup is writing: media move into them. */
  readonly packing: string;
  item(key: Key): string;
  /** Throws RangeError for anything but 64 lower-case hexadecimal digits. */
  content(sha256: string): string;
}

export function layoutOf(directory: string): Layout {
  const items = join(directory, "items");
  const media = join(directory, "media");
  return {
    directory,
    stamp: join(directory, "workspace.json"),
    lock: join(directory, "lock"),
    state: join(directory, "state.sqlite"),
    temporary: join(directory, "temporary"),
    items,
    media,
    reports: join(directory, "reports"),
    baseRows: join(directory, "base-rows"),
    packing: join(directory, "packing"),
    item: (key) => join(items, kindOf(key), ...itemName(storedText(key) as Key)),
    content: (sha256) => join(media, ...contentName(sha256)),
  };
}

function itemName(key: Key): readonly [folder: string, file: string] {
  const hash = createHash("sha256").update(key).digest("hex").slice(0, HASH_LENGTH);
  return [hash.slice(0, 2), `${readable(restOf(key))}-${hash}.json`];
}

/**
 * Safe on every system: the hash after it prevents reserved names, and all characters are ASCII.
 */
function readable(text: string): string {
  const encoded = text.replace(/[^A-Za-z0-9_-]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(""),
  );
  return encoded.slice(0, READABLE_LENGTH).replace(/%[0-9A-F]?$/, "");
}

function contentName(sha256: string): readonly [folder: string, file: string] {
  if (!SHA256.test(sha256)) throw new RangeError(`Not a sha256 in lower-case hexadecimal: ${JSON.stringify(sha256)}`);
  return [sha256.slice(0, 2), sha256];
}

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/**
 * Writes a file completely or not at all, durably: in `temporary/`, synced, renamed, folder synced.
 * Throws WorkspaceError.
 */
export async function writeDurably(layout: Layout, file: string, text: string): Promise<void> {
  const temporary = temporaryFile(layout);
  try {
    await withTemporary(temporary, (descriptor) => writeFileSync(descriptor, text));
    await renameInto(temporary, file);
    await syncFolder(dirname(file));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw storageError(error, `writing ${file}`);
  }
}

/** An unused name in `temporary/`, on the same file system, so that a rename can follow. */
export function temporaryFile(layout: Layout): string {
  return join(layout.temporary, randomUUID());
}

/**
 * Creates a file, lets `write` fill it, and syncs it. Only the sync uses Node's threads: the other
 * calls take less time than handing them over. Throws system errors and those of `write`.
 */
async function withTemporary(temporary: string, write: (descriptor: number) => void): Promise<void> {
  const descriptor = createPrivate(temporary);
  try {
    write(descriptor);
    await syncFile(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Creates a file of the owner only; returns its descriptor. Throws system errors. */
export function createPrivate(file: string): number {
  return openSync(file, "wx", FILE_MODE);
}

/** Renames a synced file; durable when the folder is synced too. Throws system errors. */
export async function renameInto(temporary: string, file: string): Promise<void> {
  const folder = dirname(file);
  try {
    renameSync(temporary, file);
  } catch (error) {
    if (!isNotThere(error)) throw error;
    await makeFolder(folder);
    renameSync(temporary, file);
  }
  // Another call may be creating the folder, and may not have synced it yet.
  if (making.size > 0) await making.get(resolve(folder));
}

const making = new Map<string, Promise<void>>();

/** Creates the folder and its missing parents durably. Throws system errors. */
export function makeFolder(folder: string): Promise<void> {
  const whole = resolve(folder);
  const underWay = making.get(whole);
  if (underWay !== undefined) return underWay;
  const made = makeAndSync(whole).finally(() => making.delete(whole));
  making.set(whole, made);
  return made;
}

async function makeAndSync(whole: string): Promise<void> {
  const first = makeMissing(whole);
  if (first === undefined) return;
  for (let made = whole; made.length >= first.length; made = dirname(made)) await syncTogether(dirname(made));
}

const beginning = new Map<string, Promise<void>>();

/** The folders that a batch creates in one folder share its sync. */
function syncTogether(folder: string): Promise<void> {
  const known = beginning.get(folder);
  if (known !== undefined) return known;
  // After the folders that are created in the same turn.
  const syncing = Promise.resolve().then(() => {
    beginning.delete(folder);
    return syncFolder(folder);
  });
  beginning.set(folder, syncing);
  return syncing;
}

/** The first folder that was missing. Synchronous, see `withTemporary`. */
function makeMissing(folder: string): string | undefined {
  try {
    return mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  } catch (error) {
    // On a read-only disk Node reports ENOENT here; creating only the first missing folder throws
    // the real reason.
    if (isNotThere(error)) mkdirSync(firstMissing(resolve(folder)));
    throw error;
  }
}

function firstMissing(folder: string): string {
  const above = dirname(folder);
  return above === folder || existsSync(above) ? folder : firstMissing(above);
}

function isNotThere(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
