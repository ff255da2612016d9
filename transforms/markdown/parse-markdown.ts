import type { Nodes, Root, RootContent } from "mdast";
import { type CompileContext, type Extension, fromMarkdown, type Handle, type Token } from "mdast-util-from-markdown";
import { gfmFromMarkdown, gfmToMarkdown } from "mdast-util-gfm";
import { type Options, toMarkdown } from "mdast-util-to-markdown";
import { gfm } from "micromark-extension-gfm";
import { isCostly, MOST_LINES } from "./is-costly.js";
import { parsePlain, printPlain } from "./plain-blocks.js";

/**
 * Reads check boxes. After an empty item the parser can take later text for its text; a box there
 * is not one, and the library would drop it.
 */
const TASK_LIST: Extension = {
  exit: { taskListCheckValueChecked: check(true), taskListCheckValueUnchecked: check(false), taskListCheck: exitBox },
};

function check(checked: boolean): Handle {
  return function exitCheck() {
    const item = this.stack.at(-2);
    if (item?.type === "listItem") item.checked = checked;
  };
}

function exitBox(this: CompileContext, token: Token): void {
  if (this.stack.at(-2)?.type === "listItem") return;
  this.enter({ type: "text", value: this.sliceSerialize(token) }, token);
  this.exit(token);
}

/** Omits the pass over finished texts, which would link escaped addresses. */
const PARSE_OPTIONS = {
  extensions: [gfm()],
  mdastExtensions: [...gfmFromMarkdown().map(({ transforms: _, ...extension }) => extension), TASK_LIST],
};

/**
 * CommonMark with GFM as a syntax tree; undefined for a text with a chunk that is too costly.
 * Offsets count in the text, lines in the chunk.
 */
export function parseMarkdown(markdown: string): Root | undefined {
  const chunks = chunksOf(markdown);
  if (chunks.some(({ text, words }) => words === undefined && isCostly(text))) return undefined;
  const first = chunks.map(({ text }) => (text.includes("]:") ? parseAny(text) : undefined));
  const own = first.map((tree) => new Set(tree === undefined ? [] : labelsDefined(tree)));
  const all = new Set(own.flatMap((labels) => [...labels]));
  const children = chunks.flatMap(({ text, start, words }, at) => {
    if (words !== undefined) return words;
    const before = definitionsFor(text, all, own[at]);
    const tree = before === "" ? (first[at] ?? parseAny(text)) : parseAny(before + text);
    const blocks = tree.children.filter(({ position }) => (position?.start.offset ?? 0) >= before.length);
    return blocks.map((node) => moved(node, start - before.length));
  });
  return { type: "root", children };
}

/** Labels that links and footnotes of the text can refer to. */
function labelsDefined(node: Nodes): readonly string[] {
  if (node.type === "definition") return [node.identifier];
  const inner = "children" in node ? node.children.flatMap(labelsDefined) : [];
  return node.type === "footnoteDefinition" ? [`^${node.identifier}`, ...inner] : inner;
}

/** Innermost brackets. The parser accepts labels of up to 999 characters. */
const LABEL = /\[((?:\\[\s\S]|[^\\[\]]){1,999})\]/g;

/**
 * Definitions from other chunks, without which the parser reads references as words. Their address
 * is missing, since the caller uses the definitions of the whole text.
 */
function definitionsFor(text: string, all: ReadonlySet<string>, own?: ReadonlySet<string>): string {
  if (all.size === 0) return "";
  const labels = new Set(Array.from(text.matchAll(LABEL), ([, label = ""]) => identifierOf(label)));
  const used = [...labels].filter((label) => all.has(label) && !own?.has(label));
  // The heading ends the last note.
  return used.length === 0 ? "" : `${used.map((label) => `[${label}]: #\n\n`).join("")}#\n\n`;
}

/** Compares labels like the parser; ignores marks of quotations at line starts. */
function identifierOf(label: string): string {
  const words = label.replace(/\n[ \t>]*/g, " ").replace(/[ \t\r\n]+/g, " ");
  return words.trim().toLowerCase().toUpperCase().toLowerCase();
}

function moved<N extends Nodes>(node: N, by: number): N {
  const { position } = node;
  if (position !== undefined) {
    const [start = 0, end = 0] = [position.start.offset, position.end.offset];
    node.position = { start: { ...position.start, offset: start + by }, end: { ...position.end, offset: end + by } };
  }
  for (const child of "children" in node ? node.children : []) moved(child, by);
  return node;
}

export function parseAny(markdown: string): Root {
  return fromMarkdown(markdown, PARSE_OPTIONS);
}

/** A part of Markdown that can be parsed alone. */
interface Chunk {
  readonly text: string;
  /** Offset in the whole text. */
  readonly start: number;
  /** The parsed tree of a chunk of words, with places in the whole text. */
  readonly words?: readonly RootContent[];
}

/** Characters after which a chunk may end: time and memory of the parser grow faster. */
const CHUNK_LENGTH = 8_000;

/**
 * Cuts Markdown before a block that nothing earlier can include: after a blank line, at the first
 * column, without an item, outside of code and HTML. The chunks together are the text. Stretches of
 * only words are chunks of their own. Where only the parser knows whether code or HTML continues,
 * the rest is one chunk. A chunk can refer to a definition in another one.
 */
export function chunksOf(markdown: string): readonly Chunk[] {
  if (LONE_RETURN.test(markdown)) return [{ text: markdown, start: 0 }];
  const chunks: Chunk[] = [];
  const place: Place = { open: undefined, item: 0, inHtml: false, isBehindBlank: true };
  let start = 0;
  let stretch = 0;
  let words: RootContent[] | undefined;
  const endChunk = (to: number): void => {
    if (to > start) chunks.push({ text: markdown.slice(start, to), start, ...(words && { words }) });
    start = to;
    words = undefined;
  };
  const endStretch = (to: number): void => {
    const tree = wordsIn(markdown.slice(stretch, to), stretch);
    const goesOn = tree === undefined ? words === undefined && stretch - start < CHUNK_LENGTH : words !== undefined;
    if (!goesOn) endChunk(stretch);
    if (tree !== undefined) {
      words ??= [];
      for (const block of tree.children) words.push(block);
    }
    stretch = to;
  };
  for (let at = 0; at < markdown.length && place.open !== "unknown"; ) {
    const feed = markdown.indexOf("\n", at);
    const next = feed < 0 ? markdown.length : feed + 1;
    const line = markdown.slice(at, endOfText(markdown, at, next));
    if (place.open === undefined && place.isBehindBlank && BEGINS_BLOCK.test(line)) {
      place.item = 0;
      endStretch(at);
    }
    follow(place, line);
    at = next;
  }
  if (place.open !== "unknown") endStretch(markdown.length);
  else if (words !== undefined) endChunk(stretch);
  endChunk(markdown.length);
  return chunks;
}

/** The tree of a text of only words, unless a list in it is too long. */
function wordsIn(text: string, start: number): Root | undefined {
  const tree = parsePlain(text, start);
  return tree?.children.some((block) => block.type === "list" && block.children.length > MOST_LINES) ? undefined : tree;
}

/** A lone carriage return, an obsolete line end. */
const LONE_RETURN = /\r(?!\n)/;

/** Where the blanks and the line end at the end of a line begin. */
function endOfText(markdown: string, from: number, to: number): number {
  let end = to;
  while (end > from && " \t\r\n".includes(markdown.charAt(end - 1))) end -= 1;
  return end;
}

/** A list continues after an empty line, as do the blocks of an item. */
const BEGINS_BLOCK = /^(?!(?:[-+*]|\d{1,9}[.)])(?:\s|$))\S/;

interface Place {
  /** The end of code or HTML that continues after empty lines; "unknown": only the parser knows. */
  open: RegExp | "unknown" | undefined;
  /** Text column of the outermost item; 0 outside, undefined if only the parser knows. */
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
  // A block of an item, indented code, or a continued paragraph.
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

/** undefined: the line does not begin code or HTML, or also ends it. */
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

/** The indent of the outermost item after a line outside of items or a lazy continuation. */
function itemBehind(line: string, indent: number, { item, inHtml }: Place, isBehindBlank: boolean): Place["item"] {
  // It can be in an item that is still open.
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

/** Width of a text; tab stops at every fourth column. */
function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += character === "\t" ? 4 - (columns % 4) : 1;
  return columns;
}

/** Common style: `-` for items, one space after it, stars for marks, fences for code. */
const PRINT_OPTIONS: Options = {
  extensions: [gfmToMarkdown()],
  bullet: "-",
  emphasis: "*",
  fences: true,
  listItemIndent: "one",
};

/** Markdown text; "" for no blocks. Blank lines separate blocks, so each kind is printed alone. */
export function printMarkdown(children: RootContent[]): string {
  const texts: string[] = [];
  let others: RootContent[] = [];
  const printOthers = (): void => {
    if (others.length > 0) texts.push((printPlain(others) ?? printAny(others)).replace(/\n$/, ""));
    others = [];
  };
  for (const block of children) {
    // How a list is printed depends on the list before it.
    const text = block.type === "list" ? undefined : printPlain([block]);
    if (text === undefined) {
      others.push(block);
      continue;
    }
    printOthers();
    texts.push(text.slice(0, -1));
  }
  printOthers();
  return texts.length > 0 ? `${texts.join("\n\n")}\n` : "";
}

export function printAny(children: RootContent[]): string {
  return toMarkdown({ type: "root", children }, PRINT_OPTIONS);
}
