import { createHash } from "node:crypto";
import type { Item } from "../../../core/model/item.js";
import type { ItemKind, Key } from "../../../core/model/key.js";
import type { Entry } from "../catalogue.js";
import { FILES_PAGE, fileAnchor } from "../file-anchor.js";
import { BEGINNING, impactsOf } from "./impacts-of.js";
import { type ItemText, itemText } from "./item-text.js";
import { postingOf, postingText } from "./posting-text.js";
import { nearFile, type SegmentFacts, titlesFile, wordsFile } from "./search-names.js";

/** Items and postings of a segment at most: what is held while it is made, some 60 MB. */
export const MOST_ITEMS = 16_000;
const MOST_POSTINGS = 3_200_000;
/** Characters of a part of the terms, about: what a browser loads for a word that somebody types. */
const PART = 50_000;
/** Items whose texts, of which lists show a part, lie in one file. */
export const IN_A_BLOCK = 16;
/** Characters of an item's text that lists may show a part of. */
const LONGEST_SHOWN = 50_000;
/** Shorter parts of a text are copies, longer ones hold the whole text in memory (V8). */
const LONGEST_COPIED = 12;

/** What a list shows of a found item: title, kind, category or else "", path, language. */
export type SearchEntry = readonly [title: string, kind: ItemKind, where: string, path: string, language: string];

/** A file of the index: its name below `search/`, and its JSON. */
export interface SegmentFile {
  readonly name: string;
  readonly json: string;
}

/** A part of the index: some items, by their number in it. */
export class SearchSegment {
  readonly keys: Key[] = [];
  readonly #most: number;
  readonly #entries: SearchEntry[] = [];
  readonly #terms = new Map<string, number[]>();
  readonly #version = createHash("sha256");
  #postings = 0;

  /** `most`: items that it takes. */
  constructor(most: number = MOST_ITEMS) {
    this.#most = most;
  }

  get isFull(): boolean {
    return this.keys.length >= this.#most || this.#postings >= MOST_POSTINGS;
  }

  /** Returns what lists may show of the item's text. */
  add(entry: Entry, item: Item): string {
    const { key, title, kind, category, path, more } = entry;
    const texts = itemText(item);
    const number = this.keys.length;
    const where = category ?? "";
    this.keys.push(key);
    this.#entries.push([
      title,
      kind,
      where,
      path === "" ? `${FILES_PAGE}#${fileAnchor(key)}` : path,
      more?.language ?? "",
    ]);
    const impacts = impactsOf({ title, labels: `${more?.tags.join(" ") ?? ""} ${where}`, ...texts });
    for (const [term, impact] of impacts) this.#post(term, postingOf(number, impact));
    this.#postings += impacts.size;
    const shown = shownText(texts);
    this.#version.update(shown).update("\n");
    return shown;
  }

  /** Its files, one after the other; returns what leads to them. */
  *files(number: number): Generator<SegmentFile, SegmentFacts> {
    const terms = [...this.#terms.keys()].toSorted();
    const parts: string[] = [];
    yield this.#file(titlesFile(number), JSON.stringify(this.#entries));
    for (const part of this.#parts(terms)) {
      yield this.#file(wordsFile(number, parts.length), JSON.stringify(part));
      parts.push(part[0][0] ?? "");
    }
    yield this.#file(nearFile(number), JSON.stringify(terms.filter(isWhole).join(" ")));
    return { items: this.keys.length, parts, version: this.#version.digest("hex").slice(0, 16) };
  }

  #post(term: string, posting: number): void {
    const postings = this.#terms.get(term);
    if (postings !== undefined) postings.push(posting);
    else this.#terms.set(term.length > LONGEST_COPIED ? copyOf(term) : term, [posting]);
  }

  *#parts(terms: readonly string[]): Generator<readonly [terms: string[], postings: string[]]> {
    let part: readonly [string[], string[]] = [[], []];
    let size = 0;
    for (const term of terms) {
      const postings = postingText(this.#terms.get(term) ?? []);
      part[0].push(term);
      part[1].push(postings);
      size += term.length + postings.length;
      if (size < PART) continue;
      yield part;
      part = [[], []];
      size = 0;
    }
    if (size > 0) yield part;
  }

  #file(name: string, json: string): SegmentFile {
    this.#version.update(json);
    return { name, json };
  }
}

/** What lists may show a part of. */
export function shownText({ text, remarks }: ItemText): string {
  return [text, remarks]
    .filter((each) => each !== "")
    .join(" · ")
    .slice(0, LONGEST_SHOWN);
}

/** Can items of this kind be found? */
export function isSearched(kind: ItemKind): boolean {
  return SEARCHED.has(kind);
}

const SEARCHED: ReadonlySet<ItemKind> = new Set(["guide", "category", "wiki", "document"]);

function isWhole(term: string): boolean {
  return !term.startsWith(BEGINNING);
}

function copyOf(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}
