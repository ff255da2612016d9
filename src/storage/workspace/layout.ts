import { createHash, randomUUID } from "node:crypto";
import { closeSync, existsSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { type Key, kindOf, restOf } from "../../core/model/key.js";
import { syncFile, syncFolder } from "../../core/util/files.js";
import { storageError } from "../storage-error.js";
import { storedText } from "../stored-text.js";

/**
 * What a file name shows of a key; with hash and extension it stays far below the 143 bytes of
 * encrypted file systems.
 */
const READABLE_LENGTH = 80;
const HASH_LENGTH = 16;
const SHA256 = /^[0-9a-f]{64}$/;

/** What a run that was killed while it made the folder may have left. */
export const BEFORE_THE_STAMP: ReadonlySet<string> = new Set(["lock", "lock.json", "temporary"]);

/** Where everything of a workspace lies. The format is described in README.md. */
export interface Layout {
  readonly directory: string;
  readonly stamp: string;
  readonly lock: string;
  readonly state: string;
  readonly temporary: string;
  readonly items: string;
  readonly media: string;
  readonly reports: string;
  item(key: Key): string;
  /**
   * Throws RangeError for anything but 64 lower-case hexadecimal digits, since it becomes a path.
   */
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
    item: (key) => join(items, kindOf(key), ...itemName(storedText(key) as Key)),
    content: (sha256) => join(media, ...contentName(sha256)),
  };
}

function itemName(key: Key): readonly [folder: string, file: string] {
  const hash = createHash("sha256").update(key).digest("hex").slice(0, HASH_LENGTH);
  return [hash.slice(0, 2), `${readable(restOf(key))}-${hash}.json`];
}

/**
 * Safe on every system: no reserved name survives the hash behind it, no character needs a code
 * page or a normal form.
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
 * Writes a file whole or not at all: in `temporary/`, synced, renamed, its folder synced. Throws
 * WorkspaceError.
 */
export async function writeWhole(layout: Layout, file: string, text: string): Promise<void> {
  const temporary = temporaryFile(layout);
  try {
    await withTemporary(temporary, async (descriptor) => writeFileSync(descriptor, text));
    await moveInto(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw storageError(error, `writing ${file}`);
  }
}

/**
 * A name that nobody uses in `temporary/`, which is on the same file system, so that a rename can
 * follow.
 */
export function temporaryFile(layout: Layout): string {
  return join(layout.temporary, randomUUID());
}

/**
 * Makes a file, has it written, and syncs it. Only the sync goes through Node's threads: what just
 * passes the system's memory takes less time than handing it over. Throws what the system says, and
 * what `write` throws.
 */
export async function withTemporary<T>(temporary: string, write: (descriptor: number) => Promise<T>): Promise<T> {
  const descriptor = openSync(temporary, "wx", FILE_MODE);
  try {
    const written = await write(descriptor);
    await syncFile(descriptor);
    return written;
  } finally {
    closeSync(descriptor);
  }
}

/** Gives a synced file its name, for good: a rename lasts only when its folder is synced too. */
export async function moveInto(temporary: string, file: string): Promise<void> {
  const folder = dirname(file);
  try {
    renameSync(temporary, file);
  } catch (error) {
    if (!isNotThere(error)) throw error;
    await makeFolder(folder);
    renameSync(temporary, file);
  }
  // Somebody else may have made the folder just now, and not be done with it.
  await making.get(resolve(folder));
  await syncFolder(folder);
}

/** Folders that are being made, by their whole path. */
const making = new Map<string, Promise<void>>();

/** Makes the folder and what is missing above it, for good. Throws what the system says. */
export function makeFolder(folder: string): Promise<void> {
  const whole = resolve(folder);
  const underWay = making.get(whole);
  if (underWay !== undefined) return underWay;
  const made = makeAndSync(whole).finally(() => making.delete(whole));
  making.set(whole, made);
  return made;
}

async function makeAndSync(whole: string): Promise<void> {
  const first = await mkdirs(whole);
  if (first === undefined) return;
  for (let made = whole; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

async function mkdirs(folder: string): Promise<string | undefined> {
  try {
    return await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  } catch (error) {
    // On a read-only disk Node says ENOENT here; the plain call for the first folder that is
    // missing tells the reason.
    if (isNotThere(error)) await mkdir(firstMissing(resolve(folder)));
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
