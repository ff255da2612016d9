import { type Key, kindOf, restOf, wikiOf } from "../../src/core/model/key.js";

/** What a text calls a key at its own site: a number, or the title of a category or page. */
export function ownId(key: Key): string {
  return kindOf(key) === "category" || kindOf(key) === "wiki" ? wikiOf(key).title : restOf(key);
}
