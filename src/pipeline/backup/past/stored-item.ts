import { buffer } from "node:stream/consumers";
import type { PresentRow } from "../../../archive/repository/format.js";
import { damage } from "../../../archive/repository/read/damage.js";
import type { Repository } from "../../../archive/repository/repository.js";
import { type Item, itemSchema } from "../../../model/item.js";

/** The bytes of an item, as they were stored. Throws what Repository says. */
export async function storedBytes(repository: Pick<Repository, "open">, row: PresentRow): Promise<Buffer> {
  return buffer(await repository.open(row));
}

/** An item as it was stored. Throws what Repository says, and ArchiveError (exit 6) when the bytes are no item. */
export async function storedItem(repository: Pick<Repository, "open">, row: PresentRow): Promise<Item> {
  const bytes = await storedBytes(repository, row);
  try {
    return itemSchema.parse(JSON.parse(bytes.toString("utf8")));
  } catch (cause) {
    throw damage(`${row.key} in ${row.archive} is no item that this guideferry knows.`, cause);
  }
}
