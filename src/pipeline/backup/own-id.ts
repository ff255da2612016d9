import { idIn, type Key, kindOf, restOf } from "../../model/key.js";

/** The id that a thing has at the site that its key is of, as the ledger writes ids. */
export function ownId(key: Key): string {
  return PAGES.has(kindOf(key)) ? restOf(key) : String(idIn(key));
}

const PAGES: ReadonlySet<string> = new Set(["category", "wiki", "record"]);
