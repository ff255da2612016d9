import type { Item } from "../../model/item.js";
import type { Entry } from "../catalogue.js";
import { type SearchState, STATE_FILE, textFile, titlesFile, wordsFile } from "./search-names.js";
import { searchScript } from "./search-script.js";
import { IN_A_BLOCK, isSearched, SearchShard } from "./search-shard.js";

/** Takes a file of the index: its name below `search/` and its text. */
export type WriteSearchFile = (name: string, text: string) => Promise<void>;

/** Writes a whole index while items come: no more than a shard is held. */
export class SearchWriter {
  readonly #write: WriteSearchFile;
  #shard = new SearchShard();
  #shards = 0;
  #items = 0;
  #texts: string[] = [];
  #blocks = 0;

  constructor(write: WriteSearchFile) {
    this.#write = write;
  }

  /** Throws what writing throws. */
  async add(entry: Entry, item: Item): Promise<void> {
    if (!isSearched(item.kind)) return;
    this.#texts.push(this.#shard.add(entry, item));
    this.#items += 1;
    if (this.#texts.length === IN_A_BLOCK) await this.#endBlock();
    if (this.#shard.isFull) await this.#endShard();
  }

  /** Writes what is left. Throws what writing throws. */
  async end(): Promise<void> {
    if (this.#shard.keys.length > 0) await this.#endShard();
    const state: SearchState = { state: "whole", shards: this.#shards, done: this.#items, total: this.#items };
    await this.#put(STATE_FILE, JSON.stringify(state));
  }

  async #endBlock(): Promise<void> {
    await this.#put(textFile(this.#shards, this.#blocks), JSON.stringify(this.#texts));
    this.#texts = [];
    this.#blocks += 1;
  }

  async #endShard(): Promise<void> {
    if (this.#texts.length > 0) await this.#endBlock();
    await this.#put(titlesFile(this.#shards), this.#shard.titles());
    await this.#put(wordsFile(this.#shards), this.#shard.words());
    this.#shard = new SearchShard();
    this.#shards += 1;
    this.#blocks = 0;
  }

  #put(name: string, json: string): Promise<void> {
    return this.#write(name, searchScript(name.replace(/\.js$/, ""), json));
  }
}
