import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { ArchiveError, EXIT } from "../../core/errors.js";
import { diskError } from "./disk-error.js";

/** Opens an archive's file, gives it to `use`, and closes it. A handle given stays open. Throws ArchiveError. */
export async function withArchive<T>(
  archive: string | FileHandle,
  use: (handle: FileHandle, bytes: number) => Promise<T>,
): Promise<T> {
  if (typeof archive !== "string") return use(archive, (await archive.stat()).size);
  const { handle, bytes } = await openFile(archive);
  try {
    return await use(handle, bytes);
  } catch (error) {
    throw diskError(error, `reading ${archive}`);
  } finally {
    await handle.close();
  }
}

/** Opens a plain file for reading. Throws ArchiveError. */
export async function openFile(path: string): Promise<{ readonly handle: FileHandle; readonly bytes: number }> {
  const handle = await openNow(path);
  const stats = await handle.stat();
  if (stats.isFile()) return { handle, bytes: stats.size };
  await handle.close();
  const what = stats.isDirectory() ? "a folder" : "no plain file";
  throw new ArchiveError(`${path} is ${what}, an archive was expected. Give the path of the archive's file.`, {
    exitCode: EXIT.usage,
  });
}

async function openNow(path: string): Promise<FileHandle> {
  try {
    // Without waiting: a pipe that nobody writes to would hold us for ever.
    return await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    throw diskError(error, `opening ${path}`);
  }
}
