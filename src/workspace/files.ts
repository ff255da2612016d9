import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { syncFolder } from "../util/sync-folder.js";
import type { Layout } from "./layout.js";
import { storageError } from "./storage-error.js";

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/**
 * Writes a file whole or not at all: in `temporary/`, synced, renamed, its folder synced. Throws WorkspaceError.
 */
export async function writeWhole(layout: Layout, file: string, text: string): Promise<void> {
  const temporary = temporaryFile(layout);
  try {
    const handle = await open(temporary, "wx", FILE_MODE);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await moveInto(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw storageError(error, `writing ${file}`);
  }
}

/** A name that nobody uses in `temporary/`, which is on the same file system, so that a rename can follow. */
export function temporaryFile(layout: Layout): string {
  return join(layout.temporary, randomUUID());
}

/** Gives a synced file its name, for good: a rename lasts only when its folder is synced too. */
export async function moveInto(temporary: string, file: string): Promise<void> {
  await makeFolder(dirname(file));
  await rename(temporary, file);
  await syncFolder(dirname(file));
}

/** Makes the folder and what is missing above it. Throws what the system says. */
export async function makeFolder(folder: string): Promise<void> {
  const whole = resolve(folder);
  const first = await mkdirs(whole);
  if (first === undefined) return;
  for (let made = whole; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

async function mkdirs(folder: string): Promise<string | undefined> {
  try {
    return await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  } catch (error) {
    // On a read-only disk Node says ENOENT here; the plain call for the first folder that is missing tells the reason.
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      await mkdir(firstMissing(resolve(folder)));
    throw error;
  }
}

function firstMissing(folder: string): string {
  const above = dirname(folder);
  return above === folder || existsSync(above) ? folder : firstMissing(above);
}
