import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openRepository } from "../../src/storage/repository/read/open-repository.js";

/** Where a byte of a plain archive lies, by what it is for. */
export interface Region {
  readonly from: number;
  readonly to: number;
}

/** The parts of an entry: its own header, its name in it, its packed bytes; APPNOTE 4.3.7. */
export type EntryPart = "header" | "name" | "data";

export async function entryRegion(folder: string, archive: string, path: string, part: EntryPart): Promise<Region> {
  const repository = await openRepository(folder);
  const entry = await repository.pool.use(archive, ({ entries }) => entries.find(path));
  await repository.close();
  if (entry === undefined) throw new Error(`${path} is not in ${archive}`);
  const bytes = await readFile(join(folder, archive));
  const name = entry.at + 30;
  const extra = name + bytes.readUInt16LE(entry.at + 26);
  const data = extra + bytes.readUInt16LE(entry.at + 28);
  const regions = {
    header: { from: entry.at, to: name },
    name: { from: name, to: extra },
    data: { from: data, to: data + entry.packedSize },
  };
  return regions[part];
}

/**
 * The list of entries, and the record at the end that says where it is; APPNOTE 4.3.12 and 4.3.16.
 */
export async function tailRegion(folder: string, archive: string, part: "list" | "end"): Promise<Region> {
  const bytes = await readFile(join(folder, archive));
  const end = bytes.lastIndexOf(Buffer.from("PK\u0005\u0006", "latin1"));
  const list = bytes.readUInt32LE(end + 16);
  return part === "end" ? { from: end, to: bytes.length } : { from: list, to: list + bytes.readUInt32LE(end + 12) };
}
