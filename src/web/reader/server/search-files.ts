import type { Item } from "../../../core/model/item.js";
import type { Catalogue, Entry } from "../catalogue.js";
import type { Shelf } from "../library.js";

/** A file of a search index. */
export interface SearchFile {
  /** Compressed by gzip. */
  readonly bytes: Buffer;
  /** Nothing else is ever given for its name and version. */
  readonly isLasting: boolean;
}

/** What is searched at one time: it takes items as they are read, and gives the files of `search/`. */
export interface SearchFiles {
  add(entry: Entry, item: Item): Promise<void> | void;
  /** `read` settles when all items were given, or the reading ended early; `progress` tells how far it is. Throws what ends the index early, but for the reading. */
  follow(catalogue: Pick<Catalogue, "read" | "progress">): Promise<void>;
  /** `index.js`, or one that it names, with the version it has there; undefined: there is none of this name and version. */
  file(name: string, version: string): Promise<SearchFile | undefined>;
}

export type MakeSearchFiles = (shelf: Shelf) => SearchFiles;
