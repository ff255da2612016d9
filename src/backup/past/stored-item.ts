import type { PresentRow } from "../../storage/repository/format.js";
import { damage } from "../../storage/repository/read/damage.js";
import { itemBytes } from "../../storage/repository/read/item-bytes.js";
import type { Repository } from "../../storage/repository/repository.js";
import { type Item, itemSchema } from "../../core/model/item.js";

/** An item as it was stored. Throws what `itemBytes` says, and ArchiveError (exit 6) when the bytes are no item. */
export async function storedItem(repository: Pick<Repository, "open">, row: PresentRow): Promise<Item> {
  const bytes = await itemBytes(repository, row);
  try {
    return itemSchema.parse(JSON.parse(bytes.toString("utf8")));
  } catch (cause) {
    throw damage(`${row.key} in ${row.archive} is no item that this guideferry knows.`, cause);
  }
}
