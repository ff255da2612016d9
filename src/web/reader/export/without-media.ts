import type { Shelf } from "../library.js";

/** The same shelf without some contents: pages say of them that they are not there. */
export function withoutMedia(shelf: Shelf, lost: ReadonlySet<string>): Shelf {
  return {
    facts: shelf.facts,
    site: shelf.site,
    rows: () => shelf.rows(),
    rowBatches: () => shelf.rowBatches(),
    item: (row) => shelf.item(row),
    row: (key) => shelf.row(key),
    medium: async (sha256) => (lost.has(sha256) ? undefined : shelf.medium(sha256)),
  };
}
