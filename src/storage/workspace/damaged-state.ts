import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { layoutOf } from "./layout.js";
import { takeLock } from "./lock.js";
import { Database } from "./sqlite.js";
import { isDamaged, storageError } from "./storage-error.js";

/**
 * Renames the `state.sqlite` of a workspace, if it is damaged, with the files that belong to it, so that the next run begins an empty one. For workspaces
 * whose state can be learnt anew, as that of a backup from its archives; ledgers of loads can't. Returns the new path; undefined: nothing was
 * done, since the file is whole or another run holds the workspace. Throws WorkspaceError for the disk.
 */
export async function setStateAside(directory: string, now: Date): Promise<string | undefined> {
  const { state, lock } = layoutOf(directory);
  if (!existsSync(state)) return undefined;
  const taken = takeLock(lock, "guideferry backup");
  if (!("lock" in taken)) return undefined;
  try {
    if (isWhole(state)) return undefined;
    const aside = `${state}.damaged-${now.toISOString().replace(/[-:]|\.\d+/g, "")}`;
    for (const suffix of ["-wal", "-shm", ""]) if (existsSync(`${state}${suffix}`)) await move(state, aside, suffix);
    return aside;
  } finally {
    taken.lock.release();
  }
}

async function move(from: string, to: string, suffix: string): Promise<void> {
  try {
    await rename(`${from}${suffix}`, `${to}${suffix}`);
  } catch (error) {
    throw storageError(error, `renaming ${from}${suffix}`);
  }
}

/** Reads all of it. Throws what is no damage. */
function isWhole(state: string): boolean {
  let database: Database | undefined;
  try {
    database = new Database(state);
    const found = database.all<{ readonly quick_check: string }>("PRAGMA quick_check(1)");
    return found.every(({ quick_check }) => quick_check === "ok");
  } catch (error) {
    if (isDamaged(error)) return false;
    throw error;
  } finally {
    database?.close();
  }
}
