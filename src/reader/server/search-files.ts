import type { Item } from "../../model/item.js";
import type { Catalogue, Entry } from "../catalogue.js";
import type { Shelf } from "../library.js";

/** A file of a search index. */
export interface SearchFile {
  /** Compressed by gzip. */
  readonly bytes: Buffer;
}

/** What is searched at one time: it takes items as they are read, and gives the files of `search/`. */
export interface SearchFiles {
  add(entry: Entry, item: Item): Promise<void> | void;
  /** `read` settles when all items were given, or the reading ended early; `progress` tells how far it is. */
  follow(catalogue: Pick<Catalogue, "read" | "progress">): void;
  /** `index.js`; undefined: there is none of this name now. */
  file(name: string): Promise<SearchFile | undefined>;
}

export type MakeSearchFiles = (shelf: Shelf) => SearchFiles;
