import { createHash } from "node:crypto";
import { termsOf, wordsOfHtml, wordsOfWiki } from "../../../../transforms/search.js";
import type { Comment, Guide, Item, MediaUse, Wiki } from "../../../core/model/item.js";
import type { ItemKind, Key } from "../../../core/model/key.js";
import type { Catalogue, Entry } from "../catalogue.js";
import type { SnapshotView } from "../library.js";
import { fileAnchor } from "../page-path.js";
import { isShownAsHtml } from "../pages/texts.js";

/** Limits of a segment, which takes some 60 MB while it is made. */
export const MOST_ITEMS = 16_000;
const MOST_POSTINGS = 3_200_000;
/** Characters of one part of the terms, which a browser loads for a word. */
const PART = 50_000;
/** Items whose texts lie in one file. */
export const IN_A_BLOCK = 16;
/** Characters of an item's text that lists can show a part of. */
const LONGEST_SHOWN = 50_000;
/** Longer substrings keep the whole text in memory (V8). */
const LONGEST_COPIED = 12;

type SearchEntry = readonly [title: string, kind: ItemKind, where: string, path: string, language: string];

/** `name`: below `search/`. */
interface SegmentFile {
  readonly name: string;
  readonly json: string;
}

/** Some items, by their number in the segment. */
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

  /** Returns the text that lists may show a part of. */
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

  /** Yields its files; returns the facts that lead to them. */
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

export function shownText({ text, remarks }: ItemText): string {
  return [text, remarks]
    .filter((each) => each !== "")
    .join(" · ")
    .slice(0, LONGEST_SHOWN);
}

/** Whether the search finds items of this kind. */
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

type WriteSearchFile = (name: string, text: string) => Promise<void>;

/** Writes an index while items come; holds one segment at most. */
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

  /** One call at a time. Throws what writing throws. */
  async add(entry: Entry, item: Item): Promise<void> {
    if (!isSearched(item.kind)) return;
    this.#texts.push(this.#segment.add(entry, item));
    this.#items += 1;
    if (this.#texts.length === IN_A_BLOCK) await this.#endBlock();
    if (this.#segment.isFull) await this.#endSegment();
  }

  /** Writes the rest. Throws what writing throws. */
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

/** Characters that can be found; hostile texts have megabytes. */
const LONGEST_TEXT = 200_000;
const LONGEST_ITEM = 400_000;

/**
 * The text that people read beside the title, in the order of the page, without line ends. Empty
 * for media and records.
 */
interface ItemText {
  readonly text: string;
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
  return [
    description,
    isShownAsHtml(wiki) ? wordsOfHtml(cut(html)) : page(contents),
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

interface SearchedFields {
  readonly title: string;
  /** Tags and category. */
  readonly labels: string;
  readonly text: string;
  readonly remarks: string;
}

/** A term counts by its best place; `src/web/reader/browser/search-match.ts` weighs the places. */
const PLACES = ["remarks", "text", "labels", "title"] as const;
/** Terms of a field of usual length. */
const USUAL = { remarks: 200, text: 200, labels: 6, title: 6 } as const;
/** From this place on words are found from their first letter on. */
const TITLED = PLACES.indexOf("labels");

/** The k1 and b of BM25, with the usual values. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.7;

/** Marks terms for the first one or two letters of words of titles. No term of a text begins so. */
const BEGINNING = "*";

/**
 * Terms with their impact: the best place in the upper two of six bits, the strength there in the
 * lower four.
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

/** From 0 to 15. */
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

/** The alphabet of base64url (RFC 4648 5), which takes a byte each in JSON and scripts. */
const SIGNS = Buffer.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");
const DIGIT = 5;
const MORE = 1 << DIGIT;

/** An item's number and its impact (0 to 63) as one number. */
export function postingOf(item: number, impact: number): number {
  return item * 64 + impact;
}

/**
 * Encodes postings by rising item number: the number of skipped items with five bits a sign, lowest
 * first, then the impact. `src/web/reader/browser/search-match.ts` decodes it.
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
  if (sign === undefined) throw new TypeError(`${value} is not a value of a base64url sign`);
  return sign;
}

const FILES_PAGE = "documents.html";

/** Files lie below `search/`; each is a script that calls `searchFile(name without .js, json)`. */
export const STATE_FILE = "index.js";

/** `SearchEntry[]` */
function titlesFile(segment: number): string {
  return `${segment}-titles.js`;
}

/** Terms and their postings: `[terms, postings]`, both `string[]`. */
function wordsFile(segment: number, part: number): string {
  return `${segment}-words-${part}.js`;
}

/** All terms in order, separated by blanks, for words without a match. */
function nearFile(segment: number): string {
  return `${segment}-near.js`;
}

/** `string[]` */
function textFile(segment: number, block: number): string {
  return `${segment}-text-${block}.js`;
}

/** undefined: no name of a file of texts. */
export function blockIn(name: string): { readonly segment: number; readonly block: number } | undefined {
  const [, segment, block] = /^(\d{1,6})-text-(\d{1,6})\.js$/.exec(name) ?? [];
  return segment === undefined || block === undefined ? undefined : { segment: Number(segment), block: Number(block) };
}

export function segmentIn(name: string): number | undefined {
  const [, segment] = /^(\d{1,6})-/.exec(name) ?? [];
  return segment === undefined ? undefined : Number(segment);
}

/** How complete an index is, and its segments. */
export interface SearchState {
  /** `building`: more segments follow; `broken`: they will not. */
  readonly state: "building" | "whole" | "broken";
  /** Items that can be found, and all items. */
  readonly done: number;
  readonly total: number;
  readonly segments: readonly SegmentFacts[];
}

export interface SegmentFacts {
  readonly items: number;
  /** The first term of each part, in the order of UTF-16 units. */
  readonly parts: readonly string[];
  /**
   * Digest of the content in the address (`0-words-3.js?<version>`), so that browsers may cache the
   * file for good.
   */
  readonly version: string;
}

/**
 * A script that passes JSON, since pages from a disk can load scripts only. ASCII, so that no
 * browser decodes it otherwise. Pages of any origin may load scripts, so it runs only on pages from
 * a disk; pages of a web server fetch it as text and take what stands between the first and the
 * last quote.
 */
export function searchScript(name: string, json: string): string {
  return `location.protocol==="file:"&&searchFile(${JSON.stringify(name)},'${escaped(json)}');\n`;
}

/** A JavaScript string in single quotes, which JSON rarely contains. */
function escaped(json: string): string {
  return json.replace(/[\\']|[^\x20-\x7E]/g, (sign) => {
    if (sign === "\\" || sign === "'") return `\\${sign}`;
    return `\\\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

export interface SearchFile {
  /** Compressed by gzip. */
  readonly bytes: Buffer;
  /** Its name and version always give the same bytes. */
  readonly isLasting: boolean;
}

/** Takes items as they are read and gives the files of `search/`. */
export interface SearchFiles {
  add(entry: Entry, item: Item): Promise<void> | void;
  /**
   * `read` settles at the end of the reading, complete or not. Throws what ends the index early,
   * but not the reading's error.
   */
  follow(catalogue: Pick<Catalogue, "read" | "progress">): Promise<void>;
  /** `index.js`, or a file that it names with its version; undefined: there is none. */
  file(name: string, version: string): Promise<SearchFile | undefined>;
}

export type MakeSearchFiles = (snapshot: SnapshotView) => SearchFiles;
