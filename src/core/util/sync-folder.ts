import { closeSync, fsync, openSync } from "node:fs";
import { promisify } from "node:util";

/** Makes what was written to an open file last. Throws what the system says. */
export const syncFile: (descriptor: number) => Promise<void> = promisify(fsync);

/**
 * Makes what was renamed or created in a folder last: that does so only when the folder is synced
 * too. Windows can't open folders; its file system keeps renames by itself. Throws what the system
 * says.
 */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const descriptor = openSync(folder, "r");
  try {
    await syncFile(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
