import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { onDisk } from "../storage/archive/disk-error.js";
import { ArchiveError } from "../core/errors.js";
import { exists, isOwnBundle } from "./own-bundle.js";
import { PACKAGE_ENDINGS } from "./package-name.js";

/**
 * Bundles in a folder that guideferry wrote and that are not among these: of categories that are gone, that have another title now, or
 * that were not chosen this time. Throws ArchiveError when the folder can't be read.
 */
export async function staleBundles(folder: string, written: readonly string[]): Promise<readonly string[]> {
  if (!(await exists(folder))) return [];
  const known = new Set(written);
  const stale: string[] = [];
  const entries = await onDisk(`reading ${folder}`, readdir(folder, { withFileTypes: true }));
  for (const entry of entries.filter((each) => each.isFile() && isNamedAsPackage(each.name))) {
    const path = join(folder, entry.name);
    if (!known.has(path) && (await isOurs(path))) stale.push(path);
  }
  return stale.toSorted();
}

function isNamedAsPackage(name: string): boolean {
  return PACKAGE_ENDINGS.some((ending) => name.toLowerCase().endsWith(ending));
}

/** What can't be read is nobody's bundle. */
async function isOurs(path: string): Promise<boolean> {
  try {
    return await isOwnBundle(path);
  } catch (error) {
    if (error instanceof ArchiveError) return false;
    throw error;
  }
}
