import type { Item } from "../../../../src/core/model/item.js";

/** The document of an item, as the reader keeps it in `raw`; undefined for items of other origin. */
export function documentOf({ raw }: Pick<Item, "raw">): { readonly path: string; readonly xml: string } | undefined {
  if (typeof raw !== "object" || raw === null || !("path" in raw) || !("xml" in raw)) return undefined;
  const { path, xml } = raw;
  return typeof path === "string" && typeof xml === "string" ? { path, xml } : undefined;
}
