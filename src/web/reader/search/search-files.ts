import type { Item } from "../../../core/model/item.js";
import type { Catalogue, Entry } from "../catalogue.js";
import type { SnapshotView } from "../library.js";

/**
 * The names of an index's files below `search/`, of which each is a script that calls
 * `searchFile(name without .js, json)`.
 */
export const STATE_FILE = "index.js";

/** What lists show of the items of a segment: `SearchEntry[]`. */
export function titlesFile(segment: number): string {
  return `${segment}-titles.js`;
}

/** A part of the terms of a segment, and where they stand: `[terms, postings]`, both `string[]`. */
export function wordsFile(segment: number, part: number): string {
  return `${segment}-words-${part}.js`;
}

/**
 * All terms of a segment, in order, for words that nothing has: one text, a blank between each two.
 */
export function nearFile(segment: number): string {
  return `${segment}-near.js`;
}

/** The texts of some items, of which lists show a part: `string[]`. */
export function textFile(segment: number, block: number): string {
  return `${segment}-text-${block}.js`;
}

/** undefined: it is no name of a file of texts. */
export function blockIn(name: string): { readonly segment: number; readonly block: number } | undefined {
  const [, segment, block] = /^(\d{1,6})-text-(\d{1,6})\.js$/.exec(name) ?? [];
  return segment === undefined || block === undefined ? undefined : { segment: Number(segment), block: Number(block) };
}

/** undefined: it belongs to no segment. */
export function segmentIn(name: string): number | undefined {
  const [, segment] = /^(\d{1,6})-/.exec(name) ?? [];
  return segment === undefined ? undefined : Number(segment);
}

/** How far an index is, and what leads to its files. */
export interface SearchState {
  /** `building`: more segments follow; `broken`: they will not. */
  readonly state: "building" | "whole" | "broken";
  /** Items that can be found, and items that there are; equal at the end. */
  readonly done: number;
  readonly total: number;
  readonly segments: readonly SegmentFacts[];
}

/** A segment: some of the items, by their number in it, and their terms in parts. */
export interface SegmentFacts {
  readonly items: number;
  /**
   * The first term of each part: terms stand in the order of their UTF-16 units, those before
   * `parts[1]` in part 0.
   */
  readonly parts: readonly string[];
  /**
   * Of its content: files are asked for with it (`0-words-3.js?<version>`), so that a browser may
   * keep them for good.
   */
  readonly version: string;
}

/**
 * A file of the index: a script that hands a text of JSON over, since pages that are opened from a
 * disk can load scripts and nothing else. It is ASCII alone, so that no browser reads it in another
 * encoding, and its text takes a byte a character in the browser's memory.
 *
 * Scripts may be loaded by pages of any origin, which would so read what only their visitor can
 * reach. So it does nothing but on a page from a disk (nobody can make `location` another one);
 * pages of a web server fetch it as a text, which only its own may, and take out what stands
 * between the first and the last quote.
 */
export function searchScript(name: string, json: string): string {
  return `location.protocol==="file:"&&searchFile(${JSON.stringify(name)},'${escaped(json)}');\n`;
}

/** As a string of JavaScript in single quotes, which JSON hardly has. */
function escaped(json: string): string {
  return json.replace(/[\\']|[^\x20-\x7E]/g, (sign) => {
    if (sign === "\\" || sign === "'") return `\\${sign}`;
    return `\\\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** A file of a search index. */
export interface SearchFile {
  /** Compressed by gzip. */
  readonly bytes: Buffer;
  /** Nothing else is ever given for its name and version. */
  readonly isLasting: boolean;
}

/**
 * What is searched at one time: it takes items as they are read, and gives the files of `search/`.
 */
export interface SearchFiles {
  add(entry: Entry, item: Item): Promise<void> | void;
  /**
   * `read` settles when all items were given, or the reading ended early; `progress` tells how far
   * it is. Throws what ends the index early, but for the reading.
   */
  follow(catalogue: Pick<Catalogue, "read" | "progress">): Promise<void>;
  /**
   * `index.js`, or one that it names, with the version it has there; undefined: there is none of
   * this name and version.
   */
  file(name: string, version: string): Promise<SearchFile | undefined>;
}

export type MakeSearchFiles = (shelf: SnapshotView) => SearchFiles;
