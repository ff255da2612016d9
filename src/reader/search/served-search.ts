import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { FerryError } from "../../errors.js";
import type { Item } from "../../model/item.js";
import type { Key } from "../../model/key.js";
import type { Catalogue, Entry } from "../catalogue.js";
import type { Shelf } from "../library.js";
import type { MakeSearchFiles, SearchFile, SearchFiles } from "../server/search-files.js";
import { blockIn, type SearchState, STATE_FILE, titlesFile, wordsFile } from "./search-names.js";
import { searchScript } from "./search-script.js";
import { IN_A_BLOCK, isSearched, SearchShard, shownText } from "./search-shard.js";

/** Makes the index of a time for the server. */
export const makeServedSearch: MakeSearchFiles = (shelf) => new ServedSearch(shelf);

/** gzip's quickest level: it goes no further than to this machine's browser, and half of the bytes are enough saved. */
const LEVEL = 1;
const compress = promisify<string, { readonly level: number }, Buffer>(gzip);

/** Keeps the shards compressed; texts, of which few are ever shown, are read again when they are. */
class ServedSearch implements SearchFiles {
  readonly #shelf: Shelf;
  readonly #files = new Map<string, Buffer>();
  readonly #keys: (readonly Key[])[] = [];
  #shard = new SearchShard();
  #keeping = Promise.resolve();
  #done = 0;
  #progress: Catalogue["progress"] = { done: 0, total: 0 };
  #state: SearchState["state"] = "building";

  constructor(shelf: Shelf) {
    this.#shelf = shelf;
  }

  async add(entry: Entry, item: Item): Promise<void> {
    if (!isSearched(item.kind)) return;
    this.#shard.add(entry, item);
    if (this.#shard.isFull) await this.#keep();
  }

  follow({ read, progress }: Pick<Catalogue, "read" | "progress">): void {
    this.#progress = progress;
    read
      .then(() => this.#keep())
      .then(
        () => this.#end("whole"),
        // The server tells why the reading ended.
        () => this.#end("broken"),
      );
  }

  async file(name: string): Promise<SearchFile | undefined> {
    if (name === STATE_FILE) return { bytes: await packed(name, JSON.stringify(this.#now())) };
    const bytes = this.#files.get(name) ?? (await this.#texts(name));
    return bytes && { bytes };
  }

  #now(): SearchState {
    const { total } = this.#progress;
    const isWhole = this.#state === "whole";
    return { state: this.#state, shards: this.#keys.length, done: isWhole ? total : this.#done, total };
  }

  #end(state: SearchState["state"]): void {
    this.#state = state;
  }

  /** One shard after the other: also items that somebody waited for come at the same time. */
  #keep(): Promise<void> {
    const shard = this.#shard;
    this.#shard = new SearchShard();
    this.#keeping = this.#keeping.then(() => this.#pack(shard));
    return this.#keeping;
  }

  async #pack(shard: SearchShard): Promise<void> {
    if (shard.keys.length === 0) return;
    const number = this.#keys.length;
    this.#files.set(titlesFile(number), await packed(titlesFile(number), shard.titles()));
    this.#files.set(wordsFile(number), await packed(wordsFile(number), shard.words()));
    // From here on it is there for browsers.
    this.#keys.push(shard.keys);
    this.#done += shard.keys.length;
  }

  /** undefined: there are no such texts. Throws what the shelf throws, but for damage of an item. */
  async #texts(name: string): Promise<Buffer | undefined> {
    const place = blockIn(name);
    const keys = place && this.#keys[place.shard]?.slice(place.block * IN_A_BLOCK, (place.block + 1) * IN_A_BLOCK);
    if (keys === undefined || keys.length === 0) return undefined;
    const texts: string[] = [];
    for (const key of keys) texts.push(await this.#text(key));
    return packed(name, JSON.stringify(texts));
  }

  async #text(key: Key): Promise<string> {
    const row = await this.#shelf.row(key);
    try {
      return row === undefined ? "" : shownText(await this.#shelf.item(row));
    } catch (error) {
      // It could be read before; its page says what is wrong with it now.
      if (error instanceof FerryError) return "";
      throw error;
    }
  }
}

function packed(name: string, json: string): Promise<Buffer> {
  return compress(searchScript(name.replace(/\.js$/, ""), json), { level: LEVEL });
}
