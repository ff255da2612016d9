import { open, stat } from "node:fs/promises";
import { basename } from "node:path";
import { Readable } from "node:stream";
import { diskError, onDisk } from "../storage/archive/disk-error.js";
import { ArchiveError, EXIT, FerryError } from "../core/errors.js";
import type { Files } from "../core/formats.js";

/**
 * A document that lies alone, as a package of one: what lies beside it is not looked at. Throws ArchiveError when it can't be read,
 * also when it is no ordinary file; so do its streams.
 */
export async function openSingleFile(file: string): Promise<Files> {
  const doing = `reading ${file}`;
  const stats = await onDisk(doing, stat(file));
  if (!stats.isFile()) throw new ArchiveError(`${file} is no ordinary file.`, { exitCode: EXIT.usage });
  // Now, and not in the middle of a run: may it be read at all?
  await (await onDisk(doing, open(file))).close();
  const path = basename(file).normalize("NFC");
  const check = (wanted: string): void => {
    if (wanted !== path) throw new FerryError(`${file} is a single document; there is no "${wanted}" with it.`);
  };
  return {
    name: file,
    paths: [path],
    size: (wanted) => {
      check(wanted);
      return stats.size;
    },
    open: async (wanted) => {
      check(wanted);
      const handle = await onDisk(doing, open(file));
      return Readable.from(pieces(handle.createReadStream(), doing), { objectMode: false });
    },
  };
}

async function* pieces(stream: Readable, doing: string): AsyncGenerator<Buffer> {
  try {
    for await (const piece of stream) yield piece as Buffer;
  } catch (error) {
    throw diskError(error, doing);
  }
}
