import type { Item } from "../../core/model/item.js";
import type { Key } from "../../core/model/key.js";

/** The picture that stands for an item in lists, or for a video until it plays; null: it has none, or is none of those that have one. */
export function pictureIn(item: Item): Key | null {
  if (item.kind === "video") return item.body.poster ?? null;
  return "image" in item.body ? item.body.image : null;
}
