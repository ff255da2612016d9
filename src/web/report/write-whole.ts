import { renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";

/** Pieces are small, and a write each would cost more than they do. */
const CHUNK = 64 * 1024;

/**
 * Writes a file piece by piece: a reader sees the old one or all of the new one, and nothing half written stays. Throws what the system says, and what the pieces
 * throw.
 */
export async function writeWhole(file: string, pieces: Iterable<string>): Promise<void> {
  const fresh = `${file}.new`;
  try {
    await writePieces(fresh, pieces);
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}

async function writePieces(file: string, pieces: Iterable<string>): Promise<void> {
  const handle = await open(file, "w", 0o600);
  try {
    let chunk = "";
    for (const piece of pieces) {
      chunk += piece;
      if (chunk.length < CHUNK) continue;
      await handle.writeFile(chunk);
      chunk = "";
    }
    await handle.writeFile(chunk);
  } finally {
    await handle.close();
  }
}
