import { createHash } from "node:crypto";
import { termsOf, wordsOfHtml, wordsOfWiki } from "../../../../transforms/search.js";
import type { Comment, Guide, Item, MediaUse, Wiki } from "../../../core/model/item.js";
import type { ItemKind, Key } from "../../../core/model/key.js";
import type { Entry } from "../catalogue.js";
import { fileAnchor } from "../page-path.js";
import {
  nearFile,
  type SearchState,
  type SegmentFacts,
  STATE_FILE,
  searchScript,
  textFile,
  titlesFile,
  wordsFile,
} from "./search-files.js";

/** Items and postings of a segment at most: what is held while it is made, some 60 MB. */
export const MOST_ITEMS = 16_000;
const MOST_POSTINGS = 3_200_000;
/**
 * Characters of a part of the terms, about: what a browser loads for a word that somebody types.
 */
const PART = 50_000;
/** Items whose texts, of which lists show a part, lie in one file. */
export const IN_A_BLOCK = 16;
/** Characters of an item's text that lists may show a part of. */
const LONGEST_SHOWN = 50_000;
/** Shorter parts of a text are copies, longer ones hold the whole text in memory (V8). */
const LONGEST_COPIED = 12;

/** What a list shows of a found item: title, kind, category or else "", path, language. */
type SearchEntry = readonly [title: string, kind: ItemKind, where: string, path: string, language: string];

/** A file of the index: its name below `search/`, and its JSON. */
interface SegmentFile {
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

/** Takes a file of the index: its name below `search/` and its text. */
type WriteSearchFile = (name: string, text: string) => Promise<void>;

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

/**
 * Characters of one text, and of one item, that can be found: nobody's are longer, and hostile ones
 * have megabytes.
 */
const LONGEST_TEXT = 200_000;
const LONGEST_ITEM = 400_000;

/**
 * What people read of an item beside its title, in the order of its page, as plain texts without
 * line ends. Both empty: of media and records.
 */
interface ItemText {
  readonly text: string;
  /** What people wrote below it. */
  readonly remarks: string;
}

export function itemText(item: Item): ItemText {
  const { kind, body, media } = item;
  const texts: readonly string[] =
    kind === "guide" ? guideTexts(body) : kind === "wiki" || kind === "category" ? wikiTexts(body) : [];
  return { text: oneLine([...texts, ...documentNames(media)]), remarks: oneLine(remarksOf(item)) };
}

function oneLine(texts: readonly string[]): string {
  return texts
    .map((text) => text.replace(/[\s\p{Cc}\p{Bidi_C}]+/gu, " ").trim())
    .filter((text) => text !== "")
    .join(" · ")
    .slice(0, LONGEST_ITEM);
}

function remarksOf({ kind, body }: Item): readonly string[] {
  if (kind === "guide") return [...body.steps.flatMap(({ comments }) => comments), ...body.comments].flatMap(remark);
  return kind === "wiki" || kind === "category" ? (body.comments ?? []).flatMap(remark) : [];
}

function remark({ author, text, answers = [] }: Comment): readonly string[] {
  return [
    author?.name ?? "",
    page(text),
    ...answers.flatMap((answer) => [answer.author?.name ?? "", page(answer.text)]),
  ];
}

function guideTexts(guide: Guide): readonly string[] {
  return [
    guide.subject,
    guide.summary,
    page(guide.introduction),
    ...guide.parts.flatMap(({ name, notes }) => [name, page(notes)]),
    ...guide.tools.flatMap(({ name, notes }) => [name, page(notes)]),
    ...guide.steps.flatMap(({ title, lines }) => [title, ...lines.map(({ text }) => line(text))]),
    page(guide.conclusion),
    ...guide.flags,
    guide.author?.name ?? "",
  ];
}

function wikiTexts(wiki: Wiki): readonly string[] {
  const { description, contents, html, info, title, displayTitle, author } = wiki;
  // As on its page: what the site made of the text is shown where it says more than the text.
  const isMade = contents.trim() === "" || (html.includes("<table") && !contents.includes("<table"));
  return [
    description,
    isMade ? wordsOfHtml(cut(html)) : page(contents),
    ...info.flatMap(({ name, value }) => [name, page(value)]),
    ...(wiki.translations ?? []).flatMap((other) => [other.displayTitle ?? "", page(other.contents)]),
    displayTitle === null ? "" : title,
    author?.name ?? "",
  ];
}

function documentNames(media: readonly MediaUse[]): readonly string[] {
  return media.flatMap(({ key, fileName }) => (key.startsWith("document/") && fileName !== null ? [fileName] : []));
}

function page(text: string): string {
  return wordsOfWiki(cut(text), "page");
}

function line(text: string): string {
  return wordsOfWiki(cut(text), "line");
}

function cut(text: string): string {
  return text.slice(0, LONGEST_TEXT);
}

/** What an item is found by. */
interface SearchedFields {
  readonly title: string;
  /** Tags and category. */
  readonly labels: string;
  readonly text: string;
  readonly remarks: string;
}

/**
 * The place of a term that stands in several counts by the best one;
 * `src/web/reader/browser/search-match.ts` knows what each is worth.
 */
const PLACES = ["remarks", "text", "labels", "title"] as const;
/** Terms that a field of usual length has. */
const USUAL = { remarks: 200, text: 200, labels: 6, title: 6 } as const;
/**
 * From here on a place counts as one of the title: its words are found from their first letter on.
 */
const TITLED = PLACES.indexOf("labels");

/**
 * How the worth of a word grows with the times it stands there, and falls with the length of its
 * field: BM25's k1 and b, as most programs set them.
 */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.7;

/**
 * Before the beginnings of titles' words, one letter or two, which are terms of their own. No term
 * of a text begins so.
 */
const BEGINNING = "*";

/**
 * Each term of an item with its impact: its best place in the two upper bits of six, and how much
 * it counts there in the lower four.
 */
function impactsOf(fields: SearchedFields): ReadonlyMap<string, number> {
  const impacts = new Map<string, number>();
  for (const [place, name] of PLACES.entries()) {
    const terms = termsOf(fields[name]);
    for (const [term, count] of countsOf(terms)) {
      const impact = place * 16 + strengthOf(count, terms.length / USUAL[name]);
      impacts.set(term, impact);
      if (place >= TITLED) for (const beginning of beginningsOf(term)) raise(impacts, beginning, impact);
    }
  }
  return impacts;
}

function countsOf(terms: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/** 0 to 15. */
function strengthOf(count: number, length: number): number {
  const share = count / (count + SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length));
  return Math.min(15, Math.floor(share * 16));
}

function beginningsOf(term: string): readonly string[] {
  const letters = [...term].slice(0, 2);
  return letters.map((_, at) => BEGINNING + letters.slice(0, at + 1).join(""));
}

function raise(impacts: Map<string, number>, term: string, impact: number): void {
  impacts.set(term, Math.max(impact, impacts.get(term) ?? 0));
}

/**
 * The 64 signs of a posting, those of base64url (RFC 4648 5): JSON and scripts take them as they
 * are, a byte each.
 */
const SIGNS = Buffer.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");
/** Of the six bits of a sign: five of a number, and whether more follow. */
const DIGIT = 5;
const MORE = 1 << DIGIT;

/** An item's number and its impact (0 to 63) as one number. */
export function postingOf(item: number, impact: number): number {
  return item * 64 + impact;
}

/**
 * Postings of a term, by rising number of item, as a text: of each how many items were passed over,
 * five bits a sign and the lowest first, then the sign of its impact.
 * `src/web/reader/browser/search-match.ts` reads it.
 */
export function postingText(postings: readonly number[]): string {
  const signs: number[] = [];
  let next = 0;
  for (const posting of postings) {
    const item = Math.floor(posting / 64);
    let passed = item - next;
    for (; passed >= MORE; passed >>= DIGIT) signs.push(signAt((passed & (MORE - 1)) | MORE));
    signs.push(signAt(passed), signAt(posting % 64));
    next = item + 1;
  }
  return Buffer.from(signs).toString("latin1");
}

function signAt(value: number): number {
  const sign = SIGNS[value];
  if (sign === undefined) throw new TypeError(`${value} is no value of a sign`);
  return sign;
}

/** The page that lists all files, which have none of their own. */
const FILES_PAGE = "documents.html";
