import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { FerryError } from "../../../core/errors.js";
import type { Item } from "../../../core/model/item.js";
import type { Key } from "../../../core/model/key.js";
import type { Catalogue, Entry } from "../catalogue.js";
import type { SnapshotView } from "../library.js";
import type { MakeSearchFiles, SearchFile, SearchFiles } from "./search-index.js";
import {
  blockIn,
  IN_A_BLOCK,
  isSearched,
  itemText,
  MOST_ITEMS,
  SearchSegment,
  type SearchState,
  type SegmentFacts,
  STATE_FILE,
  searchScript,
  segmentIn,
  shownText,
} from "./search-index.js";

export const makeServedSearch: MakeSearchFiles = (snapshot) => new ServedSearch(snapshot);

/** The fastest level: the files go to this machine's browser only. */
const LEVEL = 1;
const compress = promisify<string, { readonly level: number }, Buffer>(gzip);
/**
 * A small first segment makes some items findable early; later ones are larger, since each word
 * queries each segment.
 */
const FIRST_ITEMS = 1000;

/** Keeps segments compressed and reads texts again for the few that are shown. */
class ServedSearch implements SearchFiles {
  readonly #snapshot: SnapshotView;
  readonly #files = new Map<string, Buffer>();
  readonly #segments: (SegmentFacts & { readonly keys: readonly Key[] })[] = [];
  #segment = new SearchSegment(FIRST_ITEMS);
  #keeping = Promise.resolve();
  #taken = 0;
  #done = 0;
  #progress: Catalogue["progress"] = { done: 0, total: 0 };
  #state: SearchState["state"] = "building";

  constructor(snapshot: SnapshotView) {
    this.#snapshot = snapshot;
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
      // The reader of the catalogue reports the error.
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
    // A page from before a restart must not mix segments.
    if (segment === undefined || segment.version !== version) return undefined;
    const bytes = this.#files.get(name) ?? (await this.#texts(name, segment.keys));
    return bytes && { bytes, isLasting: true };
  }

  #now(): SearchState {
    const { total } = this.#progress;
    const segments = this.#segments.map(({ items, parts, version }) => ({ items, parts, version }));
    return { state: this.#state, done: this.#state === "whole" ? total : this.#done, total, segments };
  }

  /** In sequence: concurrent readings add items at the same time. */
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
    // From here on browsers see it.
    this.#segments.push({ ...next.value, keys: segment.keys });
    this.#done += segment.keys.length;
  }

  /** undefined: no such texts. Throws what the snapshot throws, except for damage of an item. */
  async #texts(name: string, all: readonly Key[]): Promise<Buffer | undefined> {
    const place = blockIn(name);
    const keys = place === undefined ? [] : all.slice(place.block * IN_A_BLOCK, (place.block + 1) * IN_A_BLOCK);
    if (keys.length === 0) return undefined;
    const texts: string[] = [];
    for (const key of keys) texts.push(await this.#text(key));
    return packed(name, JSON.stringify(texts));
  }

  async #text(key: Key): Promise<string> {
    const row = await this.#snapshot.row(key);
    try {
      return row === undefined ? "" : shownText(itemText(await this.#snapshot.item(row)));
    } catch (error) {
      // Its page shows the damage.
      if (error instanceof FerryError) return "";
      throw error;
    }
  }
}

function packed(name: string, json: string): Promise<Buffer> {
  return compress(searchScript(name.replace(/\.js$/, ""), json), { level: LEVEL });
}
