import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder } from "../../../core/util/sync-folder.js";
import { onDisk } from "../../archive/disk-error.js";
import type { SnapshotId, SnapshotIndex } from "../format.js";
import { indexName } from "../names.js";

/** What an index ends with until its main archive has its name. */
export const NEW_INDEX = ".new";

/** Writes the index under the name that `commitIndex` ends, synced; what an earlier run left there is replaced. */
export async function writeNewIndex(folder: string, index: SnapshotIndex): Promise<void> {
  const file = join(folder, `${indexName(index.name, index.snapshot)}${NEW_INDEX}`);
  await onDisk(`writing ${file}`, writeSynced(file, `${JSON.stringify(index, null, 2)}\n`));
  await onDisk(`writing ${file}`, syncFolder(folder));
}

/** Gives the index its name. */
export async function commitIndex(folder: string, name: string, snapshot: SnapshotId): Promise<void> {
  const file = join(folder, indexName(name, snapshot));
  await onDisk(`writing ${file}`, rename(`${file}${NEW_INDEX}`, file));
  await onDisk(`writing ${file}`, syncFolder(folder));
}

async function writeSynced(file: string, text: string): Promise<void> {
  const handle = await open(file, "w", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
