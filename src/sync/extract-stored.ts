import { EXIT, WorkspaceError } from "../core/errors.js";
import type { Item } from "../core/model/item.js";
import type { Key } from "../core/model/key.js";
import type { ItemReader } from "../storage/workspace/item-store.js";

/**
 * A stored item, or undefined: there is none, or its file is damaged. The latter is as if there were none, since the store takes
 * the token from a damaged item, and what has none is read from the site again.
 */
export async function readStored(items: ItemReader, key: Key): Promise<Item | undefined> {
  if (items.entry(key) === undefined) return undefined;
  try {
    return await items.get(key);
  } catch (error) {
    if (error instanceof WorkspaceError && error.exitCode === EXIT.someFailed) return undefined;
    throw error;
  }
}
