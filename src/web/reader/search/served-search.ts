import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { FerryError } from "../../../core/errors.js";
import type { Item } from "../../../core/model/item.js";
import type { Key } from "../../../core/model/key.js";
import type { Catalogue, Entry } from "../catalogue.js";
import type { SnapshotView } from "../library.js";
import type { MakeSearchFiles, SearchFile, SearchFiles } from "./search-files.js";
import { blockIn, type SearchState, type SegmentFacts, STATE_FILE, searchScript, segmentIn } from "./search-files.js";
import { IN_A_BLOCK, isSearched, itemText, MOST_ITEMS, SearchSegment, shownText } from "./search-index.js";

/** Makes the index of a time for the server. */
export const makeServedSearch: MakeSearchFiles = (shelf) => new ServedSearch(shelf);

/**
 * gzip's quickest level: it goes no further than to this machine's browser, and half of the bytes
 * are enough saved.
 */
const LEVEL = 1;
const compress = promisify<string, { readonly level: number }, Buffer>(gzip);
/**
 * Items of the first segment: the sooner it is there, the sooner something can be found. Later ones
 * are larger, since each is asked for every word.
 */
const FIRST_ITEMS = 1000;

/**
 * Keeps the segments compressed; texts, of which few are ever shown, are read again when they are.
 */
class ServedSearch implements SearchFiles {
  readonly #shelf: SnapshotView;
  readonly #files = new Map<string, Buffer>();
  readonly #segments: (SegmentFacts & { readonly keys: readonly Key[] })[] = [];
  #segment = new SearchSegment(FIRST_ITEMS);
  #keeping = Promise.resolve();
  #taken = 0;
  #done = 0;
  #progress: Catalogue["progress"] = { done: 0, total: 0 };
  #state: SearchState["state"] = "building";

  constructor(shelf: SnapshotView) {
    this.#shelf = shelf;
  }

  async add(entry: Entry, item: Item): Promise<void> {
    if (!isSearched(item.kind)) return;
    this.#segment.add(entry, item);
    this.#taken += 1;
    if (this.#segment.isFull) await this.#keep();
  }

  async follow({ read, progress }: Pick<Catalogue, "read" | "progress">): Promise<void> {
    this.#progress = progress;
    try {
      await read;
    } catch {
      // Whoever follows the catalogue tells why.
      this.#state = "broken";
      return;
    }
    try {
      await this.#keep();
      this.#state = "whole";
    } catch (error) {
      this.#state = "broken";
      throw error;
    }
  }

  async file(name: string, version: string): Promise<SearchFile | undefined> {
    if (name === STATE_FILE) return { bytes: await packed(name, JSON.stringify(this.#now())), isLasting: false };
    const number = segmentIn(name);
    const segment = number === undefined ? undefined : this.#segments[number];
    // Another start of the server may have other segments, which a page from before it must not
    // mix.
    if (segment === undefined || segment.version !== version) return undefined;
    const bytes = this.#files.get(name) ?? (await this.#texts(name, segment.keys));
    return bytes && { bytes, isLasting: true };
  }

  #now(): SearchState {
    const { total } = this.#progress;
    const segments = this.#segments.map(({ items, parts, version }) => ({ items, parts, version }));
    return { state: this.#state, done: this.#state === "whole" ? total : this.#done, total, segments };
  }

  /** One segment after the other: also items that somebody waited for come at the same time. */
  #keep(): Promise<void> {
    const segment = this.#segment;
    this.#segment = new SearchSegment(Math.min(MOST_ITEMS, this.#taken));
    this.#keeping = this.#keeping.then(() => this.#pack(segment));
    return this.#keeping;
  }

  async #pack(segment: SearchSegment): Promise<void> {
    if (segment.keys.length === 0) return;
    const files = segment.files(this.#segments.length);
    let next = files.next();
    for (; next.done !== true; next = files.next()) {
      const { name, json } = next.value;
      this.#files.set(name, await packed(name, json));
    }
    // From here on it is there for browsers.
    this.#segments.push({ ...next.value, keys: segment.keys });
    this.#done += segment.keys.length;
  }

  /**
   * undefined: there are no such texts. Throws what the shelf throws, but for damage of an item.
   */
  async #texts(name: string, all: readonly Key[]): Promise<Buffer | undefined> {
    const place = blockIn(name);
    const keys = place === undefined ? [] : all.slice(place.block * IN_A_BLOCK, (place.block + 1) * IN_A_BLOCK);
    if (keys.length === 0) return undefined;
    const texts: string[] = [];
    for (const key of keys) texts.push(await this.#text(key));
    return packed(name, JSON.stringify(texts));
  }

  async #text(key: Key): Promise<string> {
    const row = await this.#shelf.row(key);
    try {
      return row === undefined ? "" : shownText(itemText(await this.#shelf.item(row)));
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
