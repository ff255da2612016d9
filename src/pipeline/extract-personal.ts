import { recordEndpoint } from "../api/endpoints/record-endpoints.js";
import { restOf } from "../model/key.js";
import type { ItemReader } from "../workspace/item-store.js";
import { isRefusal } from "./extract-record.js";
import { readStored } from "./extract-stored.js";

/** The families of data about people that a workspace holds, whichever run took them: what a manifest has to name. */
export async function personalDataIn(items: ItemReader): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const { key, state } of items.entries("record")) {
    const family = state === "present" ? recordEndpoint(restOf(key))?.personal : undefined;
    if (family === undefined || found.has(family)) continue;
    const item = await readStored(items, key);
    if (item !== undefined && !isRefusal(item)) found.add(family);
  }
  return [...found].toSorted();
}
