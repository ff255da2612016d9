import { recordEndpoint } from "../service/endpoints/record-endpoints.js";
import { type Key, restOf } from "../core/model/key.js";
import type { ItemReader } from "../storage/workspace/item-store.js";
import { isRefusal } from "./extract-record.js";
import { readStored } from "./extract-stored.js";

/** The families of data about people that a workspace holds, whichever run took them. `isWanted`: of some items only. */
export async function personalDataIn(
  items: ItemReader,
  isWanted: (key: Key) => boolean = () => true,
): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const { key, state } of items.entries("record")) {
    const family = state === "present" ? recordEndpoint(restOf(key))?.personal : undefined;
    if (family === undefined || found.has(family) || !isWanted(key)) continue;
    const item = await readStored(items, key);
    if (item !== undefined && !isRefusal(item)) found.add(family);
  }
  return [...found].toSorted();
}
