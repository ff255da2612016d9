import { closeSync, fsync, openSync, readSync, rmSync } from "node:fs";
import { mkdtemp, open, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { promisify } from "node:util";

/**
 * Writes a small file whole or not at all: beside its place as `NAME.new`, to the disk, and then
 * over what was there. The caller syncs the folder (`syncFolder`). Rejects with the error of the
 * disk.
 */
export async function writeWhole(file: string, text: string): Promise<void> {
  const handle = await open(`${file}.new`, "w", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.new`, file);
}

/**
 * Reads a small file without waiting: for thousands of them each step that is waited for takes
 * longer than the step. Gives at most `most` bytes and one more, which tells that there are more;
 * they lie in `into`, where it is given and large enough. Throws what the system says.
 */
export function readAtOnce(path: string, most: number, into?: Buffer): Buffer {
  const file = openSync(path, "r");
  try {
    const bytes = into !== undefined && into.length > most ? into.subarray(0, most + 1) : Buffer.allocUnsafe(most + 1);
    let filled = 0;
    while (filled < bytes.length) {
      const count = readSync(file, bytes, filled, bytes.length - filled, null);
      if (count === 0) break;
      filled += count;
    }
    return bytes.subarray(0, filled);
  } finally {
    closeSync(file);
  }
}

/** A folder for its owner alone in the system's temporary one. */
export interface ScratchFolder {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

/** Those that are there. */
const made = new Set<string>();

/**
 * Makes a folder `guideferry-NAME-…`. It goes with the process at the latest, also when that ends
 * before its time: only what is killed outright leaves it. Throws what the system says.
 */
export async function scratchFolder(name: string): Promise<ScratchFolder> {
  const path = await mkdtemp(join(tmpdir(), `guideferry-${name}-`));
  if (made.size === 0) process.once("exit", removeAll);
  made.add(path);
  return { path, remove: () => remove(path) };
}

/**
 * Gives the work a folder that is gone after it, however it ends. Throws what the work throws, and
 * what the system says.
 */
export async function withScratchFolder<T>(name: string, work: (path: string) => Promise<T>): Promise<T> {
  const { path, remove: removeIt } = await scratchFolder(name);
  try {
    return await work(path);
  } finally {
    await removeIt();
  }
}

async function remove(path: string): Promise<void> {
  await rm(path, REMOVAL);
  made.delete(path);
  if (made.size === 0) process.off("exit", removeAll);
}

function removeAll(): void {
  for (const path of made) rmSync(path, REMOVAL);
}

/** What was cut off may still write into it for a moment. */
const REMOVAL = { recursive: true, force: true, maxRetries: 5, retryDelay: 20 } as const;
/** Does a path lie in a folder, or is it the folder itself? */
export function isUnder(path: string, folder: string): boolean {
  const way = relative(resolve(folder), resolve(path));
  return way === "" || !(way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way));
}

/** Makes what was written to an open file last. Throws what the system says. */
export const syncFile: (descriptor: number) => Promise<void> = promisify(fsync);
/**
 * Makes what was renamed or created in a folder last: that does so only when the folder is synced
 * too. Windows can't open folders; its file system keeps renames by itself. Throws what the system
 * says.
 */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const descriptor = openSync(folder, "r");
  try {
    await syncFile(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
