import type { Item } from "../model/item.js";
import type { Key } from "../model/key.js";

/** The picture that stands for an item in lists; null: it has none, or is none of those that have one. */
export function pictureIn(item: Item): Key | null {
  return "image" in item.body ? item.body.image : null;
}
