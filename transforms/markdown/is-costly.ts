import { isPlain } from "./plain-blocks.js";

/**
 * Quotes and lists in each other; the time that the Markdown parser takes grows with the cube of
 * it.
 */
const DEEPEST_CONTAINER = 32;

/**
 * The parser's work, which grows with the square of the marks in a paragraph and of the nested
 * items in a list.
 */
const MOST_WORK = 5_000_000;

/**
 * Lines in one chunk that is more than words: one list, quote, table or code block, and what stands
 * around it. The parser holds some kilobytes for each line until it is through the chunk.
 */
export const MOST_LINES = 4_000;

/** Any quote or item that a line begins: `> - 1. `. */
const CONTAINER = /[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=\s))/y;

/**
 * What the parser looks for a partner for by trying all others before it, if no backslash is before
 * it.
 */
const MARKERS = /(?<!\\)(?:[*_]+|~+|<[!?]|\])/g;

/**
 * Whether a text would take the Markdown parser far more time than in proportion to its length,
 * nest deeper than a stack, or hold more lines in one chunk than fit into memory. No text that a
 * person writes is like that.
 */
export function isCostly(markdown: string): boolean {
  return chunksOf(markdown).some(({ text }) => isCostlyChunk(text));
}

/** The parser's work for one chunk does not depend on the others. */
function isCostlyChunk(markdown: string): boolean {
  const text: TextSoFar = {
    ...{ open: [], nested: 0, markers: 0, signs: 0, work: 0, inTable: false, fence: "", hasHtml: false },
    ...{ lines: 0, inContainer: false, isBehindBlank: true },
  };
  const lines = markdown.split("\n");
  if (lines.length > MOST_LINES && !isPlain(markdown)) return true;
  return lines.some((line) => {
    const { count, indent } = containersOf(line);
    followLines(text, line, count > 0);
    followMarks(text, line, count > 0);
    if (count > 0) followItems(text, indent);
    else if (indent === 0 && line !== "") text.nested = 0;
    return text.open.length + count > DEEPEST_CONTAINER || text.work > MOST_WORK;
  });
}

interface TextSoFar {
  /** Where the items begin that may be open, by their indentation. */
  readonly open: number[];
  /** Items of inner lists in the list that a line belongs to. */
  nested: number;
  /** In the paragraph that a line belongs to. */
  markers: number;
  /** All that is no letter to the parser, in the paragraph that a line belongs to. */
  signs: number;
  work: number;
  lines: number;
  /** Whether a line without the mark of a quote or item would go on with one. */
  inContainer: boolean;
  isBehindBlank: boolean;
  inTable: boolean;
  /** What closes the code that a line stands in; "" outside. */
  fence: string;
  /** Where there is HTML, a fence may be part of it and hide nothing. */
  hasHtml: boolean;
}

/** Lines and events that the parser moves or looks through for each of these lines again. */
const MOVED_A_LINE = 4;

/** Turns the line before it into a heading. */
const UNDERLINE = /^[ \t>]*(?:=+|-+)[ \t]*$/;

/**
 * Headings by a line below them, quotes behind blank lines, and lines that go on with a quote or
 * item without its mark: for each of them what was read before is moved or looked through.
 */
function followLines(text: TextSoFar, line: string, beginsContainer: boolean): void {
  text.lines += 1;
  if (text.fence !== "" && !text.hasHtml) return;
  const isBlank = line.trim() === "";
  const isLazy = text.inContainer && !isBlank && !beginsContainer;
  const isQuote = text.isBehindBlank && /^[ \t]*>/.test(line);
  if (isLazy || isQuote || UNDERLINE.test(line)) text.work += MOVED_A_LINE * text.lines;
  text.inContainer = !isBlank && (beginsContainer || text.inContainer);
  text.isBehindBlank = isBlank;
}

/**
 * Begins or ends a piece of a paragraph; pieces of text that meet are joined, for which all behind
 * them are moved.
 */
const SIGNS = /[\\[\]|!&<`:@_*~]/g;

/** Pieces that are moved in the time that one marker takes. */
const CHEAPER_SIGNS = 20;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** No two neighbouring repetitions take the same character: a line may be as long as the text. */
const TABLE_HEAD = /^[ \t>]*(?:[|:][ \t:]*)?-[ \t:|-]*$/;

function followMarks(text: TextSoFar, line: string, beginsContainer: boolean): void {
  const [, fence = ""] = FENCE.exec(line) ?? [];
  text.hasHtml ||= text.fence === "" && /^ {0,3}</.test(line);
  if (text.fence !== "" && !text.hasHtml) {
    text.fence = fence.startsWith(text.fence) ? "" : text.fence;
    return;
  }
  text.fence = fence;
  const isBlank = line.trim() === "";
  text.inTable = !isBlank && (text.inTable || TABLE_HEAD.test(line));
  const goesOn = !(isBlank || beginsContainer || text.inTable);
  const before = goesOn ? text.markers : 0;
  text.markers = before + (line.match(MARKERS)?.length ?? 0);
  text.work += text.markers ** 2 - before ** 2;
  const signsBefore = goesOn ? text.signs : 0;
  text.signs = signsBefore + (line.match(SIGNS)?.length ?? 0);
  text.work += (text.signs ** 2 - signsBefore ** 2) / CHEAPER_SIGNS;
}

function followItems(text: TextSoFar, indent: number): void {
  while ((text.open.at(-1) ?? -1) >= indent) text.open.pop();
  text.open.push(indent);
  if (indent === 0) return;
  text.work += 2 * text.nested + 1;
  text.nested += 1;
}

function containersOf(line: string): { readonly count: number; readonly indent: number } {
  let count = 0;
  CONTAINER.lastIndex = 0;
  while (CONTAINER.test(line)) count += 1;
  return { count, indent: line.search(/[^ \t]|$/) };
}

/** A stretch of Markdown that is read without what stands before and behind it. */
export interface Chunk {
  readonly text: string;
  /** Where it begins in the whole. */
  readonly start: number;
}

/**
 * Characters after which a chunk ends where it may: the parser's time and memory grow faster than
 * the text.
 */
const CHUNK_LENGTH = 8_000;

/**
 * Cuts Markdown where a block begins that nothing before it can be part of: behind a blank line, at
 * the first column, where no item begins, outside of code and HTML. The chunks together are the
 * text. A text is one chunk from where only the parser knows whether code or HTML goes on. A chunk
 * may refer to a definition in another one.
 */
export function chunksOf(markdown: string): readonly Chunk[] {
  if (markdown.length <= CHUNK_LENGTH || LONE_RETURN.test(markdown)) return [{ text: markdown, start: 0 }];
  const chunks: Chunk[] = [];
  const place: Place = { open: undefined, item: 0, inHtml: false, isBehindBlank: true };
  let start = 0;
  for (let at = 0; at < markdown.length && place.open !== "unknown"; ) {
    const feed = markdown.indexOf("\n", at);
    const next = feed < 0 ? markdown.length : feed + 1;
    const line = markdown.slice(at, endOfText(markdown, at, next));
    if (place.open === undefined && place.isBehindBlank && BEGINS_BLOCK.test(line)) {
      place.item = 0;
      if (at - start >= CHUNK_LENGTH) {
        chunks.push({ text: markdown.slice(start, at), start });
        start = at;
      }
    }
    follow(place, line);
    at = next;
  }
  return [...chunks, { text: markdown.slice(start), start }];
}

/** A line end of its own, which no system writes any more. */
const LONE_RETURN = /\r(?!\n)/;

/** Where the blanks and the line end at the end of a line begin. */
function endOfText(markdown: string, from: number, to: number): number {
  let end = to;
  while (end > from && " \t\r\n".includes(markdown.charAt(end - 1))) end -= 1;
  return end;
}

/** A list goes on behind blank lines, and so do the blocks of an item. */
const BEGINS_BLOCK = /^(?!(?:[-+*]|\d{1,9}[.)])(?:\s|$))\S/;

/** What the next line stands in. */
interface Place {
  /**
   * The end of code or HTML that goes on behind blank lines; "unknown" if only the parser knows.
   */
  open: RegExp | "unknown" | undefined;
  /**
   * Column at which the text of the outermost item begins; 0 outside, undefined if only the parser
   * knows.
   */
  item: number | undefined;
  /** HTML that ends at a blank line. */
  inHtml: boolean;
  isBehindBlank: boolean;
}

function follow(place: Place, line: string): void {
  const { open, item, isBehindBlank } = place;
  place.isBehindBlank = line === "";
  if (line === "") place.inHtml = false;
  if (open instanceof RegExp) place.open = open.test(line) ? undefined : open;
  if (open !== undefined || line === "") return;
  const blanks = /^[ \t]*/.exec(line)?.[0] ?? "";
  const indent = columnsOf(blanks);
  // A block of an item, which ends with the item; or indented code, or more of a paragraph.
  if (indent > 3 || (item !== undefined && item > 0 && indent >= item)) return;
  const text = line.slice(blanks.length);
  const end = endOf(text);
  if (end !== undefined) place.open = item === undefined || place.inHtml ? "unknown" : end;
  place.item = end === undefined ? itemBehind(line, indent, place, isBehindBlank) : 0;
  place.inHtml ||= text.startsWith("<");
}

const HTML_ENDS: readonly (readonly [begin: RegExp, end: RegExp])[] = [
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [/^<![a-z]/i, />/],
  [/^<(?:script|pre|style|textarea)(?=[\s>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
];

const FENCE_MARKS = /^(?:(`{3,})[^`]*|(~{3,}).*)$/;

/** What ends the code or HTML that a line begins, unless the line itself does. */
function endOf(line: string): RegExp | undefined {
  const [, ticks, tildes] = FENCE_MARKS.exec(line) ?? [];
  const marks = ticks ?? tildes;
  if (marks !== undefined) return new RegExp(`^ {0,3}${marks.charAt(0)}{${marks.length},}$`);
  const [begin, end] = HTML_ENDS.find(([each]) => each.test(line)) ?? [];
  if (begin === undefined || end === undefined) return undefined;
  return end.test(line) ? undefined : end;
}

const ITEM = /^[ \t]*(?:[-+*]|(\d{1,9})[.)])([ \t]+)(?=\S)/;
const EMPTY_ITEM = /^[ \t]*(?:[-+*]|\d{1,9}[.)])$/;
const RULE = /^[ \t]*(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,})$/;

/**
 * Where the text of the outermost item begins behind a line that is no part of the items before it,
 * unless it goes on lazily.
 */
function itemBehind(line: string, indent: number, { item, inHtml }: Place, isBehindBlank: boolean): Place["item"] {
  // It may be in an item that is still open.
  if (item === undefined && indent > 0) return undefined;
  if (RULE.test(line) || line.charAt(indent) === ">") return 0;
  const [marker, number = "1", blanks = ""] = ITEM.exec(line) ?? [];
  if (marker !== undefined) {
    // Within a paragraph a list begins with 1.
    const isWords = !isBehindBlank && number !== "1" && !item;
    const before = columnsOf(marker.slice(0, marker.length - blanks.length));
    const column = columnsOf(marker);
    if (isWords || inHtml) return undefined;
    return column - before > 4 ? before + 1 : column;
  }
  if (EMPTY_ITEM.test(line)) return undefined;
  return item === 0 || isBehindBlank ? 0 : undefined;
}

/** Columns that text takes, tabs at every fourth. */
function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += character === "\t" ? 4 - (columns % 4) : 1;
  return columns;
}
