import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openRepository } from "../../src/storage/repository/read/open-repository.js";
import type { Maker } from "./repository.js";

/** Where the packed bytes of a content lie in a plain archive. */
export interface ContentPlace {
  /** The item's key, or the sha256 of a medium. */
  readonly name: string;
  readonly archive: string;
  readonly from: number;
  readonly to: number;
}

/** Of every content that a row names. */
export async function contentPlaces({ folder, rows }: Maker): Promise<readonly ContentPlace[]> {
  const repository = await openRepository(folder);
  const places = new Map<string, ContentPlace>();
  for (const { items, media } of rows.values()) {
    for (const row of [...items, ...media]) {
      if (!("archive" in row)) continue;
      const bytes = await readFile(join(folder, row.archive));
      const entry = await repository.pool.use(row.archive, ({ entries }) => entries.find(row.path));
      if (entry === undefined) throw new Error(`${row.path} is not in ${row.archive}`);
      const from = entry.at + 30 + bytes.readUInt16LE(entry.at + 26) + bytes.readUInt16LE(entry.at + 28);
      const name = "key" in row ? String(row.key) : row.sha256;
      places.set(`${row.archive} ${row.path}`, { name, archive: row.archive, from, to: from + entry.packedSize });
    }
  }
  await repository.close();
  return [...places.values()];
}
