import { buffer } from "node:stream/consumers";
import type { PresentRow } from "../format.js";
import type { Repository } from "../repository.js";
import { damage } from "./damage.js";

/**
 * Items are held as a whole when they are read. A guide has some kilobytes, a list of a million views some 200 MB; what is larger would not
 * fit into a text either, and comes from an archive that somebody made to fill the memory.
 */
export const MOST_ITEM_BYTES = 256 * 1024 * 1024;

/** The bytes of an item, as they were stored. Throws what Repository says, and ArchiveError (exit 6) for more than 256 MiB, before any is read. */
export async function itemBytes(repository: Pick<Repository, "open">, row: PresentRow): Promise<Buffer> {
  const { key, path, archive, size } = row;
  if (size > MOST_ITEM_BYTES) {
    throw damage(
      `${path} in ${archive}, which should be ${key}, has ${size} bytes, and an item has ${MOST_ITEM_BYTES} at most. It is not read.`,
    );
  }
  return buffer(await repository.open(row));
}
