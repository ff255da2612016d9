import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Place } from "../../src/storage/repository/format.js";
import { openRepository } from "../../src/storage/repository/read/open-repository.js";

/**
 * Flips a bit in the middle of the packed bytes of a content, in every archive of a plain
 * repository that has it.
 */
export async function flipBit(folder: string, name: string): Promise<readonly Place[]> {
  const places = await placesOf(folder, name);
  for (const { archive, path } of places) await flipIn(folder, archive, path);
  return places;
}

/** The places of an item by its key, or of a medium by its sha256. */
export async function placesOf(folder: string, name: string): Promise<readonly Place[]> {
  const repository = await openRepository(folder);
  try {
    const places = new Map<string, Place>();
    for (const { snapshot } of repository.snapshots()) {
      for await (const row of repository.items(snapshot))
        if (row.key === name && row.state === "present") places.set(`${row.archive} ${row.path}`, row);
      for await (const row of repository.media(snapshot))
        if (row.sha256 === name) places.set(`${row.archive} ${row.path}`, row);
    }
    return [...places.values()];
  } finally {
    await repository.close();
  }
}

/** The same in one archive. */
export async function flipIn(folder: string, archive: string, path: string): Promise<void> {
  const repository = await openRepository(folder);
  const entry = await repository.pool.use(archive, ({ entries }) => entries.find(path));
  await repository.close();
  if (entry === undefined) throw new Error(`${path} is not in ${archive}`);
  const bytes = await readFile(join(folder, archive));
  // Behind the entry's own header, which is 30 bytes, its name and its extra field (APPNOTE 4.3.7).
  const from = entry.at + 30 + bytes.readUInt16LE(entry.at + 26) + bytes.readUInt16LE(entry.at + 28);
  const at = from + Math.floor(entry.packedSize / 2);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 0x10, at);
  await writeFile(join(folder, archive), bytes);
}
