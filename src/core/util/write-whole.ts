import { open, rename } from "node:fs/promises";

/**
 * Writes a small file whole or not at all: beside its place as `NAME.new`, to the disk, and then over what was there. The
 * caller syncs the folder (`syncFolder`). Rejects with the error of the disk.
 */
export async function writeWhole(file: string, text: string): Promise<void> {
  const handle = await open(`${file}.new`, "w", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.new`, file);
}
