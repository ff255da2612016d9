import { open } from "node:fs/promises";

/**
 * Makes what was renamed or created in a folder last: that does so only when the folder is synced too. Windows can't open
 * folders; its file system keeps renames by itself. Throws what the system says.
 */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
