/** A stretch of Markdown that is read without what stands before and behind it. */
export interface Chunk {
  readonly text: string;
  /** Where it begins in the whole. */
  readonly start: number;
}

/** Characters after which a chunk ends where it may: the parser's time and memory grow faster than the text. */
const CHUNK_LENGTH = 8_000;

/**
 * Cuts Markdown where a block begins that nothing before it can be part of: behind a blank line, at the first column, where no
 * item begins, outside of code and HTML. The chunks together are the text. A text is one chunk from where only the parser knows
 * whether code or HTML goes on. A chunk may refer to a definition in another one.
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
  /** The end of code or HTML that goes on behind blank lines; "unknown" if only the parser knows. */
  open: RegExp | "unknown" | undefined;
  /** Column at which the text of the outermost item begins; 0 outside, undefined if only the parser knows. */
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

const FENCE = /^(?:(`{3,})[^`]*|(~{3,}).*)$/;

/** What ends the code or HTML that a line begins, unless the line itself does. */
function endOf(line: string): RegExp | undefined {
  const [, ticks, tildes] = FENCE.exec(line) ?? [];
  const marks = ticks ?? tildes;
  if (marks !== undefined) return new RegExp(`^ {0,3}${marks.charAt(0)}{${marks.length},}$`);
  const [begin, end] = HTML_ENDS.find(([each]) => each.test(line)) ?? [];
  if (begin === undefined || end === undefined) return undefined;
  return end.test(line) ? undefined : end;
}

const ITEM = /^[ \t]*(?:[-+*]|(\d{1,9})[.)])([ \t]+)(?=\S)/;
const EMPTY_ITEM = /^[ \t]*(?:[-+*]|\d{1,9}[.)])$/;
const RULE = /^[ \t]*(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,})$/;

/** Where the text of the outermost item begins behind a line that is no part of the items before it, unless it goes on lazily. */
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
