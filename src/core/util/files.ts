import { closeSync, fsync, openSync, readSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { promisify } from "node:util";

/**
 * Reads a small file synchronously, since each await costs more than the read. Returns at most
 * `most` bytes and one more, which shows that there are more; in `into` if it is large enough.
 */
export function readAtOnce(path: string, most: number, into?: Buffer): Buffer {
  const file = openSync(path, "r");
  try {
    const bytes = into !== undefined && into.length > most ? into.subarray(0, most + 1) : Buffer.allocUnsafe(most + 1);
    let filled = 0;
    while (filled < bytes.length) {
      const count = readSync(file, bytes, filled, bytes.length - filled, null);
      filled += count;
      // A file that ends as expected costs no further call.
      if (count === 0 || filled === most) break;
    }
    return bytes.subarray(0, filled);
  } finally {
    closeSync(file);
  }
}

/** A folder for its owner only, in the system's temporary folder. */
export interface ScratchFolder {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

const made = new Set<string>();

/** Creates a folder `guideferry-NAME-…`, which is deleted at the latest when the process ends. */
export async function scratchFolder(name: string): Promise<ScratchFolder> {
  const path = await mkdtemp(join(tmpdir(), `guideferry-${name}-`));
  if (made.size === 0) process.once("exit", removeAll);
  made.add(path);
  return { path, remove: () => remove(path) };
}

/** Deletes the folder after the work, also after a failure. */
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

/** A killed child may still write into it for a moment. */
const REMOVAL = { recursive: true, force: true, maxRetries: 5, retryDelay: 20 } as const;
/** Is a path in a folder, or the folder itself? */
export function isUnder(path: string, folder: string): boolean {
  const way = relative(resolve(folder), resolve(path));
  return way === "" || !(way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way));
}

/** Makes writes to an open file durable. Throws the system's error. */
export const syncFile: (descriptor: number) => Promise<void> = promisify(fsync);
/** Makes renames and new files in a folder durable. Windows can't open folders and needs none. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const descriptor = openSync(folder, "r");
  try {
    await syncFile(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
