import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** Bytes of the files in a folder and below that `counts` says yes to. */
export async function folderSize(folder: string, counts: (path: string) => boolean = () => true): Promise<number> {
  let sum = 0;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && counts(path)) sum += (await lstat(path)).size;
  }
  return sum;
}
