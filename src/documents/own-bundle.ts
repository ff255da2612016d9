import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { openArchive } from "../storage/archive/open-archive.js";
import { ArchiveError, UsageError } from "../core/errors.js";

/** The sidecars of guideferry: beside documents, and of items without one. */
const SIDECAR = /(?:^|\/)(?:guideferry\.json|guideferry\/[^/]+\.json)$/;

/**
 * Throws UsageError when a bundle can't be written there, before anything is read: the path is a folder or a file that guideferry
 * didn't write, which is not replaced, or its folder takes no files. Throws ArchiveError when the disk fails.
 */
export async function refuseBundlePath(path: string): Promise<void> {
  const found = await statOf(path);
  if (found === undefined) return refuseFolder(path);
  if (found.isDirectory()) throw new UsageError(`${path} is a folder, and a bundle is a file. Name a file in it.`);
  if (!found.isFile()) throw new UsageError(`${path} is no ordinary file. Name another one for the bundle.`);
  await refuseForeign(path);
  await refuseFolder(path);
}

/** Is there anything of that name? */
export async function exists(path: string): Promise<boolean> {
  return (await statOf(path)) !== undefined;
}

/** Did guideferry write it? Throws ArchiveError when it is no archive, is refused or can't be read. */
export async function isOwnBundle(path: string): Promise<boolean> {
  const files = await openArchive(path, { readContents: false });
  await files.close();
  return files.paths.some((each) => SIDECAR.test(each));
}

async function refuseForeign(path: string): Promise<void> {
  const advice = "It was left as it is. Take it away, or name another file for the bundle.";
  try {
    if (await isOwnBundle(path)) return;
  } catch (cause) {
    // Without a finding it is the disk that failed, and says nothing of who wrote it.
    if (!(cause instanceof ArchiveError) || cause.findings.length === 0) throw cause;
    throw new UsageError(`${path} is there already, and no bundle that guideferry wrote. ${advice}`, { cause });
  }
  throw new UsageError(`${path} is there already, and guideferry did not write it. ${advice}`);
}

/** The nearest folder that is there must take files. */
async function refuseFolder(path: string): Promise<void> {
  const folder = dirname(resolve(path));
  const found = await statOf(folder);
  if (found === undefined) return refuseFolder(folder);
  if (!found.isDirectory()) throw new UsageError(`${path} can't be written: ${folder} is no folder.`);
  try {
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new UsageError(`${path} can't be written: nothing can be made in the folder ${folder}. Check its rights.`, {
      cause,
    });
  }
}

async function statOf(path: string) {
  try {
    return await stat(path);
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && (cause.code === "ENOENT" || cause.code === "ENOTDIR"))
      return undefined;
    throw new UsageError(`${path} can't be looked at: ${reasonOf(cause)}. Check the path and its rights.`, { cause });
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
