import type { Item } from "../../core/model/item.js";

/**
 * The text at a path of an item in the model's words, `steps[3].lines[0].text`, as it is at the source; null where no text stands there: the path names
 * something else, or nothing of this item.
 */
export function sourceText(item: Item, path: string): string | null {
  const parts = [...path.matchAll(/([A-Za-z]+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? Number(index));
  let value: unknown = item.body;
  for (const part of parts) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return null;
    value = (value as Readonly<Record<string | number, unknown>>)[part];
  }
  return parts.length > 0 && typeof value === "string" ? value : null;
}
