import { closeSync, openSync, readSync } from "node:fs";

/**
 * Reads a small file without waiting: for thousands of them each step that is waited for takes longer than the step. Gives at most `most` bytes and
 * one more, which tells that there are more; they lie in `into`, where it is given and large enough. Throws what the system says.
 */
export function readAtOnce(path: string, most: number, into?: Buffer): Buffer {
  const file = openSync(path, "r");
  try {
    const bytes = into !== undefined && into.length > most ? into.subarray(0, most + 1) : Buffer.allocUnsafe(most + 1);
    let filled = 0;
    while (filled < bytes.length) {
      const count = readSync(file, bytes, filled, bytes.length - filled, null);
      if (count === 0) break;
      filled += count;
    }
    return bytes.subarray(0, filled);
  } finally {
    closeSync(file);
  }
}
