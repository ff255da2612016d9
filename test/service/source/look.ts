import type { ListOptions, Source } from "../../../src/core/contracts.js";
import type { GuideItem } from "../../../src/core/model/item.js";
import type { Key } from "../../../src/core/model/key.js";

export const never = new AbortController().signal;

/** The tokens of everything that a source lists, records left out. */
export async function tokens(source: Source, options: Partial<ListOptions> = {}): Promise<Map<Key, string>> {
  const found = new Map<Key, string>();
  const kinds = new Set(["category", "wiki", "guide"] as const);
  for await (const { key, revision } of source.list({ kinds, includePrivate: true, since: null, ...options }, never)) {
    found.set(key, revision);
  }
  return found;
}

export async function guide(source: Source, key: Key): Promise<GuideItem> {
  const item = await source.read(key, never);
  if (item?.kind !== "guide") throw new Error(`${key} is no guide`);
  return item;
}
