import { statfs } from "node:fs/promises";
import { ArchiveError, EXIT } from "../../../core/errors.js";
import { onDisk } from "../../archive/disk-error.js";
import type { Outline } from "./drafted.js";

/** What an archive needs beside its contents: a header and a line of the list for each entry. */
const BYTES_AN_ENTRY = 512;
/** What a row of a manifest takes at most, packed. */
const BYTES_A_ROW = 300;
/** For the index, the database of a workspace and other runs. */
const LEFT_FREE = 16 * 1024 * 1024;

/**
 * Throws ArchiveError (exit 4) where the contents would not fit on the disk. They are counted unpacked: how small they get nobody knows yet. `remedy`:
 * how room is made.
 */
export async function refuseFullDisk(folder: string, { parts, counts }: Outline, remedy: string): Promise<void> {
  const contents = parts.reduce((sum, { bytes, entries }) => sum + bytes + entries * BYTES_AN_ENTRY, 0);
  const needed = contents + (counts.present + counts.media) * BYTES_A_ROW + LEFT_FREE;
  const { bavail, bsize } = await onDisk(`looking at the disk of ${folder}`, statfs(folder));
  const free = bavail * bsize;
  if (free >= needed) return;
  throw new ArchiveError(
    `The disk of ${folder} has ${megabytes(free)} free, and the new archives may need ${megabytes(needed)}. Nothing was written. ` +
      `${remedy} and run the same command again.`,
    { exitCode: EXIT.stopped },
  );
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6).toLocaleString("en")} MB`;
}
