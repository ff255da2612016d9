import { fileURLToPath } from "node:url";
import { UsageError } from "../../../core/errors.js";
import type { RepositoryStorage, StorageOptions } from "./repository-storage.js";

/**
 * The storage at an address: the path of a folder, `file:///path` or `s3://bucket/prefix`. It
 * touches nothing yet. Throws UsageError for another address.
 */
export async function storageAt(address: string, options?: StorageOptions): Promise<RepositoryStorage> {
  if (!isBucketAddress(address)) {
    // Loaded later: every command asks whether an argument is an address.
    const { LocalFolder } = await import("./local-folder.js");
    return new LocalFolder(isStorageAddress(address) ? folderIn(address) : address);
  }
  const { openBucket } = await import("./bucket-storage.js");
  return openBucket(address, options);
}

/** Is it an address, not the path of a folder? */
export function isStorageAddress(text: string): boolean {
  return /^(?:file|s3):\/\//i.test(text);
}

/** Is it `s3://bucket/prefix`, which can only be a repository? */
export function isBucketAddress(text: string): boolean {
  return /^s3:\/\//i.test(text);
}

function folderIn(address: string): string {
  try {
    return fileURLToPath(address);
  } catch (cause) {
    throw new UsageError(`${address} is not the address of a folder on this machine. Write file:///path.`, { cause });
  }
}
