import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder for its owner alone in the system's temporary one. */
export interface ScratchFolder {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

/** Those that are there. */
const made = new Set<string>();

/**
 * Makes a folder `guideferry-NAME-…`. It goes with the process at the latest, also when that ends before its time: only what is killed outright
 * leaves it. Throws what the system says.
 */
export async function scratchFolder(name: string): Promise<ScratchFolder> {
  const path = await mkdtemp(join(tmpdir(), `guideferry-${name}-`));
  if (made.size === 0) process.once("exit", removeAll);
  made.add(path);
  return { path, remove: () => remove(path) };
}

/** Gives the work a folder that is gone after it, however it ends. Throws what the work throws, and what the system says. */
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
