import { lstat, mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ArchiveError, EXIT } from "../../core/errors.js";
import { makeBeside } from "./beside.js";
import { diskError, onDisk } from "./disk-error.js";
import type { Finding } from "./findings.js";
import type { InspectOptions } from "./inspect.js";
import { type OpenFiles, openArchive } from "./open-archive.js";

export interface UnpackOptions extends InspectOptions {
  /** Stops between two pieces; nothing is left then. */
  readonly signal?: AbortSignal;
}

/**
 * Unpacks an archive that passes the guard into a folder that isn't there yet. First all of it is
 * looked at, then it is written beside, folders 0700 and files 0600, then it gets its name: the
 * folder is whole or not there. Returns the warnings. Throws ArchiveError.
 */
export async function unpackArchive(
  archive: string,
  folder: string,
  options: UnpackOptions = {},
): Promise<readonly Finding[]> {
  if (await isThere(folder)) {
    throw new ArchiveError(`${folder} is there already; archives are unpacked into a new folder. Give another path.`, {
      exitCode: EXIT.usage,
    });
  }
  const files = await openArchive(archive, options);
  const doing = `unpacking ${archive} into ${folder}`;
  try {
    await makeBeside(folder, doing, (temporary) => onDisk(doing, writeAll(files, temporary, options.signal)));
    return files.findings;
  } finally {
    await files.close();
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw diskError(error, `looking for ${path}`);
  }
}

async function writeAll(files: OpenFiles, root: string, signal: AbortSignal | undefined): Promise<void> {
  await mkdir(root, { mode: 0o700 });
  const made = new Set([root]);
  for (const folder of files.folders) await makeFolder(join(root, folder), made);
  for (const path of files.paths) {
    const place = join(root, path);
    await makeFolder(dirname(place), made);
    await writeFile(files, path, place, signal);
  }
}

async function makeFolder(folder: string, made: Set<string>): Promise<void> {
  if (made.has(folder)) return;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  made.add(folder);
}

/** `wx` neither follows a link nor writes over anything, should somebody put something there. */
async function writeFile(
  files: OpenFiles,
  path: string,
  place: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted();
  const handle = await open(place, "wx", 0o600);
  try {
    for await (const piece of await files.open(path)) {
      signal?.throwIfAborted();
      await handle.appendFile(piece);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}
