import MiniSearch from "minisearch";
import { termsOf } from "../../../transforms/search/terms-of.js";
import type { Item } from "../../model/item.js";
import type { ItemKind, Key } from "../../model/key.js";
import type { Entry } from "../catalogue.js";
import { itemText } from "./item-text.js";

/** Items and characters of a shard: what a browser takes in at once, and what is held while it is made. */
const MOST_ITEMS = 2000;
const MOST_CHARACTERS = 12_000_000;
/** Items whose texts, of which lists show a part, lie in one file. */
export const IN_A_BLOCK = 16;
/** Characters of an item's text that lists may show a part of. */
const LONGEST_SHOWN = 50_000;
/** What has no page of its own stands on the page of all files. */
const FILES_PAGE = "documents.html";

/** What a list shows of a found item: title, kind, category or else "", path, language. */
export type SearchEntry = readonly [title: string, kind: ItemKind, where: string, path: string, language: string];

interface Titles {
  readonly id: number;
  readonly title: string;
  readonly tags: string;
  readonly where: string;
}

interface Words {
  readonly id: number;
  readonly text: string;
}

/** `src/reader/browser/search-shards.ts` reads an index with the same fields. */
const COMMON = { tokenize: termsOf, processTerm: (term: string) => term };

/** A part of the index: some items, by their number in it. */
export class SearchShard {
  readonly keys: Key[] = [];
  readonly #entries: SearchEntry[] = [];
  readonly #titles = new MiniSearch<Titles>({ fields: ["title", "tags", "where"], ...COMMON });
  readonly #words = new MiniSearch<Words>({ fields: ["text"], ...COMMON });
  #characters = 0;

  get isFull(): boolean {
    return this.keys.length >= MOST_ITEMS || this.#characters >= MOST_CHARACTERS;
  }

  /** Returns what lists may show of the item's text. */
  add(entry: Entry, item: Item): string {
    const { key, title, kind, category, path, more } = entry;
    const [id, tags, where, text] = [this.keys.length, more?.tags.join(" ") ?? "", category ?? "", itemText(item)];
    this.keys.push(key);
    this.#entries.push([title, kind, where, path === "" ? FILES_PAGE : path, more?.language ?? ""]);
    this.#titles.add({ id, title, tags, where });
    // With its title: one word of a search may stand there, and another in the text.
    this.#words.add({ id, text: `${title} ${tags} ${where} ${text}` });
    this.#characters += text.length;
    return shownText(item, text);
  }

  /** The titles with what lists show, as JSON: they are found first, and loaded first. */
  titles(): string {
    return JSON.stringify({ entries: this.#entries, index: this.#titles });
  }

  /** All words, as JSON. */
  words(): string {
    return JSON.stringify(this.#words);
  }
}

/** What lists may show a part of; `text`: of the whole item, where it is at hand. */
export function shownText(item: Item, text: string = itemText(item)): string {
  return text.slice(0, LONGEST_SHOWN);
}

/** Can items of this kind be found? */
export function isSearched(kind: ItemKind): boolean {
  return SEARCHED.has(kind);
}

const SEARCHED: ReadonlySet<ItemKind> = new Set(["guide", "category", "wiki", "document"]);
