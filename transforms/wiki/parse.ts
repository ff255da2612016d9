import type { TextIssue } from "../../src/core/model/text-codes.js";
import { readEmbed, readHeading, readLine, readList, readParagraph, reportKeptMedia } from "./parse/blocks.js";
import { closingInLine, skipBlanks, skipSpace, trimEnd, UNIT } from "./parse/characters.js";
import { readInlines } from "./parse/inlines.js";
import { readFields } from "./parse/macros.js";
import {
  type BlockPlace,
  type BlockRange,
  type BlockReader,
  type BlockRule,
  closingBracket,
  closingTag,
  lineFrom,
  type ReadBlock,
  report,
  type Source,
  sourceOf,
} from "./parse/source.js";
import type { Block, Line, Page, PageMacroName, TextContext, Tree } from "./tree.js";

export interface ParseOptions<Context extends TextContext = TextContext> {
  /** `page`: introductions, conclusions, wikis, comments; `line`: a step line, without blocks. */
  readonly context: Context;
}

export interface Parsed<Result extends Tree = Tree> {
  readonly tree: Result;
  /** Every ambiguous place, in the order of parsing (wiki-syntax 7). */
  readonly issues: readonly TextIssue[];
}

/**
 * Reads wiki text. Every string has a tree, nothing is thrown, and `print(tree)` is the text again.
 * Unknown syntax is text, or an opaque node when it looks like a macro. Linear time. The syntax
 * bounds nesting: a mark does not contain its own kind (7 deep), nor does a link or quote, and
 * lists count as at most `DEEPEST_LIST` deep.
 */
export function parse(text: string, options: ParseOptions<"page">): Parsed<Page>;
export function parse(text: string, options: ParseOptions<"line">): Parsed<Line>;
export function parse(text: string, options: ParseOptions): Parsed;
export function parse(text: string, { context }: ParseOptions): Parsed {
  const source = sourceOf(text, context);
  const tree = context === "line" ? readLine(source) : readPage(text, source);
  return { tree, issues: source.issues };
}

function readPage(text: string, source: ReturnType<typeof sourceOf>): Page {
  const { blocks, end } = readBlocks(source, { start: 0, end: text.length, quoted: false });
  return { type: "page", children: blocks, after: text.slice(end), position: { start: 0, end: text.length } };
}

const CODE_OPEN = /\[code\]/iy;
const CODE_CLOSE = "[/code]";

/** `[code]⏎…⏎[/code]`: nothing in it is markup; the line ends next to the tags belong to them. */
function readCodeBlock(source: Source, { at, end }: BlockPlace): ReadBlock | undefined {
  const { text } = source;
  CODE_OPEN.lastIndex = at;
  if (!CODE_OPEN.test(text)) return undefined;
  const close = closingTag(source, "code", CODE_OPEN.lastIndex);
  const stop = close + CODE_CLOSE.length;
  if (close < 0 || stop > end) return undefined;
  const from = afterLineEnd(source, CODE_OPEN.lastIndex, close);
  const to = beforeLineEnd(text, from, close);
  return {
    type: "codeBlock",
    before: "",
    open: text.slice(at, from),
    value: text.slice(from, to),
    close: text.slice(to, stop),
    position: { start: at, end: stop },
  };
}

function afterLineEnd(source: Source, from: number, end: number): number {
  const { textEnd, next } = lineFrom(source, from, end);
  return skipBlanks(source.text, from, textEnd) === textEnd ? next : from;
}

function beforeLineEnd(text: string, from: number, end: number): number {
  if (end === from || text.charCodeAt(end - 1) !== UNIT.newline) return end;
  return end - 1 > from && text.charCodeAt(end - 2) === UNIT.carriageReturn ? end - 2 : end - 1;
}

const QUOTE_OPEN = /\[quote[ \t]*(?=[|\]])/iy;
const QUOTE_CLOSE = "[/quote]";

/** `[quote|Ann|format=featured]⏎…⏎⏎[/quote]`: blocks, but no quotes. */
function readQuote(source: Source, place: BlockPlace, readInner: BlockReader): ReadBlock | undefined {
  const { text } = source;
  const { at, end, quoted } = place;
  QUOTE_OPEN.lastIndex = at;
  if (quoted || !QUOTE_OPEN.test(text)) return undefined;
  const fields = QUOTE_OPEN.lastIndex;
  const headClose = closingInLine(text, at, end);
  const close = headClose < 0 ? -1 : closingTag(source, "quote", headClose);
  const stop = close + QUOTE_CLOSE.length;
  if (close < 0 || stop > end) return undefined;
  const head = readFields(text, { start: at, fields, close: headClose, end: headClose + 1, balanced: true }, "label");
  const attribution = head.label === undefined ? [] : readInlines(source, head.label.start, head.label.end);
  reportKeptMedia(source, attribution);
  const inner = readInner(source, { start: headClose + 1, end: close, quoted: true });
  return {
    type: "quote",
    before: "",
    open: head.open,
    leading: head.leading,
    bar: head.bar,
    attribution,
    parameters: head.parameters,
    openEnd: head.close,
    children: inner.blocks,
    after: text.slice(inner.end, close),
    close: text.slice(close, stop),
    position: { start: at, end: stop },
  };
}

function readPageMacro(source: Source, place: BlockPlace): ReadBlock | undefined {
  return readSummary(source, place) ?? readValue(source, place) ?? readBox(source, place);
}

const SUMMARY = /\[summary\]/iy;
const SUMMARY_END = "[/summary]";

/** `[summary]text[/summary]` */
function readSummary(source: Source, { at, end }: BlockPlace): ReadBlock | undefined {
  SUMMARY.lastIndex = at;
  if (!SUMMARY.test(source.text)) return undefined;
  const from = SUMMARY.lastIndex;
  const close = closingTag(source, "summary", from);
  const stop = close + SUMMARY_END.length;
  return close < 0 || stop > end ? undefined : valueMacro(source, "summary", at, from, close, stop);
}

const VALUE = /\[(title|summary_image|flag)[ \t]*\|/iy;

/** `[title|Any text]`, on one line. */
function readValue(source: Source, { at, end }: BlockPlace): ReadBlock | undefined {
  VALUE.lastIndex = at;
  const name = VALUE.exec(source.text)?.[1]?.toLowerCase();
  const from = VALUE.lastIndex;
  const close = name === undefined ? -1 : closingInLine(source.text, at, end);
  return close < 0 ? undefined : valueMacro(source, name as PageMacroName, at, from, close, close + 1);
}

function valueMacro(
  { text }: Source,
  name: PageMacroName,
  at: number,
  from: number,
  close: number,
  stop: number,
): ReadBlock {
  const start = skipSpace(text, from, close);
  const end = trimEnd(text, start, close);
  return {
    type: "pageMacro",
    before: "",
    name,
    open: text.slice(at, start),
    value: text.slice(start, end),
    parameters: [],
    close: text.slice(end, stop),
    position: { start: at, end: stop },
  };
}

const BOX = /\[(?:(info)\s*\||(def_flag)(?=\s*\|))/iy;

/** `[info | device⏎|introduced = 1998⏎]` and `[def_flag⏎|flagid=x⏎]`, over several lines. */
function readBox(source: Source, { at, end: rangeEnd }: BlockPlace): ReadBlock | undefined {
  const { text } = source;
  BOX.lastIndex = at;
  const found = BOX.exec(text);
  const fields = BOX.lastIndex;
  const close = found === null ? -1 : closingBracket(source, at);
  if (found === null || close < 0 || close >= rangeEnd) return undefined;
  const {
    open,
    target,
    parameters,
    close: end,
    position,
  } = readFields(text, { start: at, fields, close, end: close + 1, balanced: true }, "parameters");
  const name = found[1] === undefined ? "def_flag" : "info";
  return { type: "pageMacro", before: "", name, open, value: target, parameters, close: end, position };
}

/** By first character, in order of trial; other blocks are paragraphs. */
const RULES: ReadonlyMap<number, readonly BlockRule[]> = new Map([
  [UNIT.equals, [readHeading]],
  [UNIT.star, [readList]],
  [UNIT.hash, [readList]],
  [UNIT.open, [readCodeBlock, readQuote, readPageMacro, readEmbed]],
]);

interface ParseState {
  readonly source: Source;
  readonly range: BlockRange;
  readonly blocks: Block[];
  lastEnd: number;
  /** The lines of a paragraph that can continue. */
  paragraph: { readonly start: number; end: number } | undefined;
}

const readBlocks: BlockReader = (source, range) => {
  const state: ParseState = { source, range, blocks: [], lastEnd: range.start, paragraph: undefined };
  let at = range.start;
  while (at < range.end) at = readAt(state, at);
  endParagraph(state);
  return { blocks: state.blocks, end: state.lastEnd };
};

function readAt(state: ParseState, at: number): number {
  const { source, range } = state;
  const { textEnd, next } = lineFrom(source, at, range.end);
  const first = skipBlanks(source.text, at, textEnd);
  const block = first < textEnd ? readBlock(source, range, first) : undefined;
  if (block === undefined && first < textEnd) {
    addLine(state, at, textEnd);
    return next;
  }
  endParagraph(state);
  if (block === undefined) return next;
  addBlock(state, block);
  return block.position.end;
}

function readBlock(source: Source, { start, end, quoted }: BlockRange, at: number): ReadBlock | undefined {
  const rules = RULES.get(source.text.charCodeAt(at));
  if (rules === undefined) return undefined;
  const place = { start, end, quoted, at };
  for (const rule of rules) {
    const block = rule(source, place, readBlocks);
    if (block !== undefined) return block;
  }
  return undefined;
}

function addLine(state: ParseState, start: number, end: number): void {
  if (state.paragraph === undefined) state.paragraph = { start, end };
  else state.paragraph.end = end;
}

function endParagraph(state: ParseState): void {
  const { source, paragraph } = state;
  if (paragraph === undefined) return;
  state.paragraph = undefined;
  if (followsBlock(state, paragraph.start)) report(source, "text-after-block", paragraph.start, paragraph.end);
  for (const block of readParagraph(source, paragraph.start, paragraph.end)) addBlock(state, block);
}

function addBlock(state: ParseState, block: ReadBlock): void {
  // Assigned, since copies of the blocks took half of the time on a long page.
  block.before = state.source.text.slice(state.lastEnd, block.position.start);
  state.blocks.push(block);
  state.lastEnd = block.position.end;
}

const ENDS_WITH_LINE: ReadonlySet<Block["type"] | undefined> = new Set(["heading", "list", "codeBlock", "quote"]);

/** Whether no blank line separates a paragraph from a block that ends with its line. */
function followsBlock({ source, blocks, lastEnd }: ParseState, start: number): boolean {
  if (!ENDS_WITH_LINE.has(blocks.at(-1)?.type)) return false;
  const gap = source.text.slice(lastEnd, start);
  return gap.indexOf("\n") === gap.lastIndexOf("\n");
}
