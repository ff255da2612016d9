import type { SiteIdentity } from "../core/contracts.js";
import type { Key } from "../core/model/key.js";
import type { ItemReader } from "../storage/workspace/item-store.js";
import { CHOSEN, closure, type Reason } from "./extract-dependencies.js";
import { isChosen, pathsOf, type Selection, takesEverything } from "./select.js";

/**
 * What a selection takes of a workspace, and why each of it comes; items that are gone at the source are not among them.
 * Reads only the chosen items and what they need.
 */
export async function selectStored(
  items: ItemReader,
  selection: Selection,
  site: SiteIdentity,
): Promise<ReadonlyMap<Key, Reason>> {
  const chosen = new Set(chosenKeys(items, selection));
  if (!selection.dependencies || takesEverything(selection)) return new Map([...chosen].map((key) => [key, CHOSEN]));
  return closure(chosen, site, async (key) => (items.entry(key)?.state === "present" ? items.get(key) : undefined));
}

function* chosenKeys(items: ItemReader, selection: Selection): Generator<Key> {
  const parents = new Map<string, string | null>();
  for (const { key, category } of items.entries("category")) parents.set(key.slice("category/".length), category);
  const path = pathsOf(parents);
  for (const entry of items.entries()) {
    if (entry.state === "present" && isChosen(selection, entry, path)) yield entry.key;
  }
}
