import { isObject, type Place } from "./place.js";
import type { WikiExtras } from "./wiki.js";

/** The categories' places by title, in the order in which they were given. */
export type Hierarchy = ReadonlyMap<string, WikiExtras>;

/**
 * `display=hierarchyOrder`: a list of `{title, display_title?, children?}`, the only form with an order of siblings (api-facts
 * 8.1). Undefined when the answer is of another form: servers that don't know the display answer their plain list.
 */
export function readOrderedHierarchy(answer: Place): Hierarchy | undefined {
  if (!Array.isArray(answer.value) || answer.items().some((row) => row.at("wikiid").value !== undefined))
    return undefined;
  const places = new Map<string, WikiExtras>();
  addOrdered(answer.items(), null, places);
  return places;
}

/**
 * `display=hierarchy` (`{hierarchy, display_titles}`) and `GET categories` (the tree itself): objects keyed by title, a leaf
 * null or `{}`. They give no order (api-facts 8.5).
 */
export function readHierarchy(answer: Place): Hierarchy {
  const places = new Map<string, WikiExtras>();
  const tree = answer.at("hierarchy");
  addKeyed(tree.value === undefined ? answer : tree, null, places);
  return places;
}

/** A category that shows in two places keeps the first: the service knows one parent. */
function addOrdered(rows: readonly Place[], parent: string | null, places: Map<string, WikiExtras>): void {
  for (const [position, row] of rows.entries()) {
    const title = row.at("title").textOrNull();
    if (title === null || places.has(title)) continue;
    places.set(title, { parent, position });
    addOrdered(row.at("children").items(), title, places);
  }
}

function addKeyed(tree: Place, parent: string | null, places: Map<string, WikiExtras>): void {
  for (const [title, below] of tree.fields()) {
    if (places.has(title)) continue;
    places.set(title, { parent, position: null });
    if (isObject(below.value)) addKeyed(below, title, places);
  }
}
