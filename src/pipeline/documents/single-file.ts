import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { ArchiveError, EXIT, FerryError } from "../../errors.js";
import type { Files } from "../../formats.js";

/**
 * A document that lies alone, as a package of one: what lies beside it is not looked at. Throws ArchiveError when it can't be read,
 * also when it is no ordinary file.
 */
export async function openSingleFile(file: string): Promise<Files> {
  const stats = await stat(file).catch((error: unknown) => {
    throw new ArchiveError(`${file} can't be read: ${reasonOf(error)}. Check the path, its owner and its mode.`, {
      exitCode: EXIT.notFound,
      cause: error,
    });
  });
  if (!stats.isFile()) throw new ArchiveError(`${file} is no ordinary file.`, { exitCode: EXIT.usage });
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
      return createReadStream(file);
    },
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
