import { closeSync, constants, fstatSync, openSync, read, readSync } from "node:fs";
import { promisify } from "node:util";
import type { ByteReader } from "../../archive/random-access.js";
import { damage } from "./damage.js";

/** The bytes of a zip, wherever they are read from. */
export interface ByteSource extends ByteReader {
  /** Of the whole zip, decrypted. */
  readonly bytes: number;
  close(): Promise<void>;
}

/** The end records and the list of entries of a night's archive. */
const TAIL = 16 * 1024;
const readLater = promisify(read);

/**
 * A file as it lies there. Its end is read at once, without waiting: a year of nights has hundreds of archives of which nothing else is wanted,
 * and each step that is waited for takes longer than the step. Throws what the system says, and ArchiveError (exit 6) for what is no plain file.
 */
export function fileSource(path: string): ByteSource {
  // Without waiting: a pipe that nobody writes to would hold us for ever.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw damage(`${path} is no plain file.`);
    const bytes = stats.size;
    const tailAt = Math.max(0, bytes - TAIL);
    const tail = Buffer.allocUnsafe(bytes - tailAt);
    const held = tail.subarray(0, readSync(file, tail, 0, tail.length, tailAt));
    return {
      bytes,
      read: async (buffer, offset, length, position) => {
        const from = position - tailAt;
        if (from < 0 || from + length > held.length) return readLater(file, buffer, offset, length, position);
        return { bytesRead: held.copy(buffer, offset, from, from + length) };
      },
      close: async () => closeSync(file),
    };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}
