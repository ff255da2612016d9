import { chmod, readdir, rm } from "node:fs/promises";
import { EXIT, WorkspaceError } from "../../core/errors.js";
import { makeFolder } from "./files.js";
import { BEFORE_THE_STAMP, type Layout } from "./layout.js";
import { describeHolder, type Lock, takeLock } from "./lock.js";
import { newStamp, readStamp, type Stamp, writeStamp } from "./stamp.js";
import { storageError } from "./storage-error.js";

/** A workspace's folder, checked and held. */
export interface OpenFolder {
  readonly layout: Layout;
  readonly lock: Lock;
  readonly stamp: Stamp;
}

interface FolderOptions {
  readonly create: boolean;
  readonly command: string;
  readonly madeBy: string;
}

/** Checks before it touches: a folder that is something else stays as it is. Throws WorkspaceError. */
export async function openFolder(layout: Layout, options: FolderOptions): Promise<OpenFolder> {
  const isNew = await needsStamp(layout, options.create);
  if (isNew) await makeEmpty(layout.directory);
  else await readStamp(layout);
  const lock = hold(layout, options.command);
  try {
    await clean(layout);
    // Another run may have made it between the look and the lock.
    if (await needsStamp(layout, options.create)) await writeStamp(layout, newStamp(options.madeBy));
    // Only now: without its stamp a folder with these in it would look like somebody else's.
    for (const folder of [layout.items, layout.media, layout.reports]) await makePart(layout, folder);
    return { layout, lock, stamp: await readStamp(layout) };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function needsStamp(layout: Layout, create: boolean): Promise<boolean> {
  const names = await listFolder(layout.directory);
  if (names?.includes("workspace.json")) return false;
  if (names?.some((name) => !BEFORE_THE_STAMP.has(name))) throw foreign(layout.directory, create);
  if (!create) throw notFound(layout.directory);
  return true;
}

/** undefined: there is no such folder. */
async function listFolder(folder: string): Promise<readonly string[] | undefined> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw storageError(error, `opening the workspace ${folder}`);
  }
}

async function makeEmpty(folder: string): Promise<void> {
  try {
    await makeFolder(folder);
    await chmod(folder, 0o700);
  } catch (error) {
    throw storageError(error, `making the workspace ${folder}`);
  }
}

function hold(layout: Layout, command: string): Lock {
  const taken = takeLock(layout.lock, command);
  if ("lock" in taken) return taken.lock;
  throw new WorkspaceError(
    `Another run holds the workspace ${layout.directory}: ${describeHolder(taken.heldBy)}. Nothing was done. ` +
      "Wait until it ends or stop it, then run the same command again; " +
      `\`guideferry status ${layout.directory}\` shows how far it is.`,
    { exitCode: EXIT.locked },
  );
}

async function makePart(layout: Layout, folder: string): Promise<void> {
  try {
    await makeFolder(folder);
  } catch (error) {
    throw storageError(error, `opening the workspace ${layout.directory}`);
  }
}

/** What lies in `temporary/` is of runs that were killed: nobody else is here. */
async function clean(layout: Layout): Promise<void> {
  try {
    await rm(layout.temporary, { recursive: true, force: true });
    await makeFolder(layout.temporary);
  } catch (error) {
    throw storageError(error, `opening the workspace ${layout.directory}`);
  }
}

function foreign(directory: string, create: boolean): WorkspaceError {
  const remedy = create ? "Use an empty or a new folder for it" : "Check the path";
  return new WorkspaceError(
    `${directory} is not a workspace: it holds other files, and no workspace.json. Nothing in it was touched. ${remedy}.`,
    { exitCode: create ? EXIT.usage : EXIT.notFound },
  );
}

function notFound(directory: string): WorkspaceError {
  return new WorkspaceError(
    `There is no workspace at ${directory}. Check the path, or fill one: guideferry extract SOURCE --workspace ${directory}`,
    { exitCode: EXIT.notFound },
  );
}
