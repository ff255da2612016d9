import type { Library, Shelf } from "../library.js";

/** What pages of an export know of its library: the times that the export has, and nothing of others. `shelfOf`: the site at one of them. */
export function libraryOf(library: Library, shelves: readonly Shelf["facts"][], shelfOf: Library["at"]): Library {
  return {
    path: library.path,
    remarks: library.remarks,
    times: shelves,
    at: async (id) => (shelves.some((time) => time.id === id) ? shelfOf(id) : undefined),
    close: () => library.close(),
  };
}
