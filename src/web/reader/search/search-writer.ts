import type { Item } from "../../../core/model/item.js";
import type { Entry } from "../catalogue.js";
import { type SearchState, type SegmentFacts, STATE_FILE, textFile } from "./search-names.js";
import { searchScript } from "./search-script.js";
import { IN_A_BLOCK, isSearched, SearchSegment } from "./search-segment.js";

/** Takes a file of the index: its name below `search/` and its text. */
export type WriteSearchFile = (name: string, text: string) => Promise<void>;

/** Writes a whole index while items come: no more than a segment is held. */
export class SearchWriter {
  readonly #write: WriteSearchFile;
  readonly #segments: SegmentFacts[] = [];
  #segment = new SearchSegment();
  #items = 0;
  #texts: string[] = [];
  #blocks = 0;

  constructor(write: WriteSearchFile) {
    this.#write = write;
  }

  /** One after the other. Throws what writing throws. */
  async add(entry: Entry, item: Item): Promise<void> {
    if (!isSearched(item.kind)) return;
    this.#texts.push(this.#segment.add(entry, item));
    this.#items += 1;
    if (this.#texts.length === IN_A_BLOCK) await this.#endBlock();
    if (this.#segment.isFull) await this.#endSegment();
  }

  /** Writes what is left. Throws what writing throws. */
  async end(): Promise<void> {
    if (this.#segment.keys.length > 0) await this.#endSegment();
    const state: SearchState = {
      state: "whole",
      done: this.#items,
      total: this.#items,
      segments: this.#segments,
    };
    await this.#put(STATE_FILE, JSON.stringify(state));
  }

  async #endBlock(): Promise<void> {
    await this.#put(textFile(this.#segments.length, this.#blocks), JSON.stringify(this.#texts));
    this.#texts = [];
    this.#blocks += 1;
  }

  async #endSegment(): Promise<void> {
    if (this.#texts.length > 0) await this.#endBlock();
    const files = this.#segment.files(this.#segments.length);
    let next = files.next();
    for (; next.done !== true; next = files.next()) await this.#put(next.value.name, next.value.json);
    this.#segments.push(next.value);
    this.#segment = new SearchSegment();
    this.#blocks = 0;
  }

  #put(name: string, json: string): Promise<void> {
    return this.#write(name, searchScript(name.replace(/\.js$/, ""), json));
  }
}
