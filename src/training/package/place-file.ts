import { lstat, open } from "node:fs/promises";
import { makeBeside } from "../../storage/archive/beside.js";
import { diskError, onDisk } from "../../storage/archive/disk-error.js";
import { type NewEntry, packInto, writeArchive } from "../../storage/archive/write-archive.js";

/** A file to be written, which may stand there already. */
export interface Placeable {
  readonly path: string;
  /** Gives its bytes in order to `write`, waiting for each. */
  give(write: (bytes: Buffer) => Promise<void>): Promise<void>;
  /** Writes it to its path, whole or not at all. */
  place(): Promise<void>;
}

export function archiveOf(
  path: string,
  entries: (signal: AbortSignal) => AsyncIterable<NewEntry>,
  signal: AbortSignal,
): Placeable {
  return {
    path,
    give: (write) => packInto(path, write, entries(signal), signal),
    place: () => writeArchive(path, entries(signal), { signal }),
  };
}

export function fileOf(path: string, bytes: Buffer): Placeable {
  return {
    path,
    give: (write) => write(bytes),
    place: () => makeBeside(path, `writing ${path}`, (temporary) => writeSynced(temporary, path, bytes)),
  };
}

async function writeSynced(temporary: string, path: string, bytes: Buffer): Promise<void> {
  const doing = `writing ${path}`;
  const handle = await onDisk(doing, open(temporary, "wx", 0o600));
  try {
    await onDisk(doing, handle.writeFile(bytes));
    await onDisk(doing, handle.sync());
  } finally {
    await handle.close();
  }
}

export type Standing = "nothing" | "same" | "other";

/** What stands at its path: nothing, a file with exactly these bytes, or something else. Throws ArchiveError when the disk fails. */
export async function whatStands(file: Placeable): Promise<Standing> {
  const { path } = file;
  const stats = await lstat(path).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw diskError(error, `looking for ${path}`);
  });
  if (stats === undefined) return "nothing";
  if (!stats.isFile()) return "other";
  return (await onDisk(`reading ${path}`, isSame(file, stats.size))) ? "same" : "other";
}

/** Ends the giving early. */
class Differs extends Error {}

async function isSame({ path, give }: Placeable, size: number): Promise<boolean> {
  const handle = await open(path, "r");
  let position = 0;
  try {
    await give(async (bytes) => {
      const there = Buffer.alloc(bytes.length);
      const { bytesRead } = await handle.read(there, 0, bytes.length, position);
      position += bytes.length;
      if (bytesRead < bytes.length || !there.equals(bytes)) throw new Differs("Another file stands there.");
    });
    return position === size;
  } catch (error) {
    if (error instanceof Differs) return false;
    throw error;
  } finally {
    await handle.close();
  }
}
