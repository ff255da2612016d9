import { chmod, copyFile, stat } from "node:fs/promises";
import { layoutOf } from "./layout.js";
import { Database } from "./sqlite.js";

/**
 * Copies what a workspace knows into a new, empty folder, without its items and media: for a rehearsal, which writes as the real run does and is thrown
 * away. Also while a run is on. Copies nothing where there is no workspace. Throws WorkspaceError when the notes can't be read.
 */
export async function copyNotes(directory: string, folder: string): Promise<void> {
  const [from, to] = [layoutOf(directory), layoutOf(folder)];
  const files = await Promise.all([from.stamp, from.state].map((file) => stat(file).catch(() => undefined)));
  if (files.includes(undefined)) return;
  const database = new Database(from.state, { readOnly: true });
  try {
    database.execute(`VACUUM INTO '${to.state.replaceAll("'", "''")}'`);
  } finally {
    database.close();
  }
  await chmod(to.state, 0o600);
  await copyFile(from.stamp, to.stamp);
}
