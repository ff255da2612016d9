import type { Catalogue } from "../catalogue.js";
import { tagPath } from "../page-path.js";

/** Pages of lists. */
const LISTS: readonly string[] = [
  "index.html",
  "about.html",
  "guides.html",
  "pages.html",
  "tags.html",
  "documents.html",
];

/** The addresses of all pages of a time, each once. */
export function pageAddresses(catalogue: Catalogue, items: Iterable<string>): ReadonlySet<string> {
  return new Set([...LISTS, ...catalogue.tags().map(({ tag }) => tagPath(tag)), ...items]);
}
