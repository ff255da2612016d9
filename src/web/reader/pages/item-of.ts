import type { Item } from "../../../core/model/item.js";
import type { Key } from "../../../core/model/key.js";
import type { Shelf } from "../library.js";
import { unreadable } from "../unreadable.js";

/** An item, or why it can't be shown; neither: there is none. */
export interface FoundItem {
  readonly item?: Item;
  /** For people. */
  readonly damage?: string;
}

/** Reads an item. Damage is told on the page, since everything else can still be read. */
export async function itemOf(shelf: Shelf, key: Key): Promise<FoundItem> {
  const row = await shelf.row(key);
  if (row === undefined) return {};
  try {
    return { item: await shelf.item(row) };
  } catch (error) {
    const damage = unreadable(error);
    if (damage === undefined) throw error;
    return { damage };
  }
}
