import type { Blockquote, Code, FootnoteDefinition, Heading, Html, List, ListItem, Root, Table, TableRow } from "mdast";
import type { TextIssue } from "../../src/core/model/text-codes.js";
import { isBlank } from "../wiki/blanks.js";
import {
  codeBlock,
  heading,
  lineBreak,
  list,
  listItem,
  mark,
  paragraph,
  parameter,
  quote,
  text,
} from "../wiki/build.js";
import {
  type Draft,
  depthInside,
  finishItem,
  type ItemParts,
  itemParts,
  lineOf,
  listBlocks,
  type ReadItem,
  separateMedia,
  type Tell,
  takeBlocks,
  takeList,
  tellStart,
  unspaced,
} from "../wiki/draft.js";
import { normaliseLine, normalisePage } from "../wiki/normalise.js";
import { parse } from "../wiki/parse.js";
import type { Block, Inline, Line, Page, Parameter, TextContext, Tree } from "../wiki/tree.js";
import { BREAK, DIVIDER, nameBehindDash, QUOTE_FIELDS, RAW_BLOCK } from "./conventions.js";
import { type Conversion, conversionOf, type Flow, footnoteNumber, tellAt } from "./conversion.js";
import { MOST_LINES } from "./is-costly.js";
import { parseMarkdown } from "./parse-markdown.js";
import { blocksOfHtml, onOneLine, readInlines, readLine } from "./read-inlines.js";

export interface FromMarkdownOptions<Context extends TextContext = TextContext> {
  /** `page`: introductions, conclusions, wikis, comments; `line`: a step line, without blocks. */
  readonly context: Context;
}

export interface FromMarkdown<Result extends Tree = Tree> {
  readonly tree: Result;
  /** Losses and changes, with offsets in the Markdown. */
  readonly issues: readonly TextIssue[];
}

/**
 * Converts Markdown (CommonMark with GFM) to wiki text. The output of `toMarkdown` becomes its
 * source again; of other Markdown, losses are reported and the words kept.
 */
export function fromMarkdown(markdown: string, options: FromMarkdownOptions<"page">): FromMarkdown<Page>;
export function fromMarkdown(markdown: string, options: FromMarkdownOptions<"line">): FromMarkdown<Line>;
export function fromMarkdown(markdown: string, options: FromMarkdownOptions): FromMarkdown;
export function fromMarkdown(markdown: string, { context }: FromMarkdownOptions): FromMarkdown {
  const { drafts, tell, issues } = readDrafts(markdown, context);
  if (context === "page") return { tree: normalisePage(drafts, tell), issues };
  const words = lineOf(
    drafts.map(({ block }) => block),
    tell,
  );
  return { tree: normaliseLine(words.map(onOneLine), tell), issues };
}

interface Drafts extends Pick<Conversion, "issues"> {
  readonly drafts: readonly Draft[];
  /** Reports on the whole text. */
  readonly tell: Tell;
}

/** A separate function, so that nothing keeps the syntax tree after it. */
function readDrafts(markdown: string, context: TextContext): Drafts {
  const parsed = parseMarkdown(markdown);
  const root = parsed ?? plainText(markdown);
  const conversion = conversionOf(root, context);
  const tell: Tell = (code, level, message) => {
    conversion.issues.push({ code, level, message, start: 0, end: markdown.length });
  };
  if (parsed === undefined) tell("markdown-too-deep", "error", TOO_DEEP);
  const drafts = (root.children as Flow[]).flatMap((node): readonly Draft[] => {
    const tellHere = tellAt(conversion, node);
    return readBlock(node, conversion).map((block) => ({ block, tell: tellHere }));
  });
  return { drafts, tell, issues: conversion.issues };
}

const TOO_DEEP =
  "The Markdown is nested too deep, has too many marks in one paragraph, or has more than " +
  `${MOST_LINES} lines in one list, quote, table or code block. It is read as plain text.`;

function plainText(text: string): Root {
  const paragraphs = text.split(/\n[ \t]*\n/).filter((value) => !isBlank(value));
  return {
    type: "root",
    children: paragraphs.map((value) => ({ type: "paragraph", children: [{ type: "text", value }] })),
  };
}

/** The table syntax is not public (wiki-syntax 2.1): each row becomes an item of a list. */
function readTable(node: Table, conversion: Conversion): readonly Block[] {
  const message = `A table of ${node.children.length} rows becomes a list with one item for each row, because the table syntax of sites is not public.`;
  tellAt(conversion, node)("table-to-list", "loss", message);
  return [
    list(
      false,
      node.children.map((row, at) => listItem(readRow(row, at === 0, conversion))),
    ),
  ];
}

function readRow(row: TableRow, isHead: boolean, conversion: Conversion): readonly Inline[] {
  const cells = row.children.map(({ children }) => readLine(children, conversion));
  return cells.flatMap((cell, at) => {
    const words = isHead && cell.length > 0 ? [mark("strong", cell)] : cell;
    return at === 0 ? words : [text(" | "), ...words];
  });
}

export function readBlock(node: Flow, conversion: Conversion): readonly Block[] {
  const read = HANDLERS[node.type] as (node: Flow, conversion: Conversion) => readonly Block[];
  return read(node, conversion);
}

type Handler<Type extends Flow["type"]> = (
  node: Extract<Flow, { readonly type: Type }>,
  conversion: Conversion,
) => readonly Block[];

const HANDLERS: { readonly [Type in Flow["type"]]: Handler<Type> } = {
  paragraph: ({ children }, conversion) => separateMedia(readInlines(children, conversion)),
  heading: readHeading,
  list: (node, conversion) => listBlocks(node.ordered === true, readItems(node, conversion, readBlock)),
  blockquote: (node, conversion) => readQuote(node, conversion, readBlock),
  code: readCode,
  html: readHtml,
  table: readTable,
  thematicBreak: (node, conversion) => {
    tellAt(conversion, node)(
      "thematic-break",
      "loss",
      "Wiki text does not have horizontal rules. This one is left out.",
    );
    return [];
  },
  definition: () => [],
  footnoteDefinition: readFootnote,
};

function readHeading(node: Heading, conversion: Conversion): readonly Block[] {
  const tell = tellAt(conversion, node);
  if (node.children.length === 0) {
    tell("empty-node", "note", "A heading without text is left out.");
    return [];
  }
  if (node.depth === 1 && conversion.context === "page") {
    tell(
      "top-heading",
      "note",
      "Sites are not known to have headings of level 1. The site may show this heading as text.",
    );
  }
  return [heading(node.depth, readLine(node.children, conversion))];
}

function readCode(node: Code, conversion: Conversion): readonly Block[] {
  const { lang, meta, value } = node;
  if (lang === RAW_BLOCK) return unspaced(parse(value, { context: "page" }).tree.children);
  if (lang) {
    const message = `Wiki text does not have the language of code. "${[lang, meta].join(" ").trim()}" is left out.`;
    tellAt(conversion, node)("code-language", "loss", message);
  }
  return [codeBlock(value)];
}

/** An element can be open here and closed after other blocks, which are read as they are. */
function readHtml(node: Html, conversion: Conversion): readonly Block[] {
  const { value } = node;
  if (value === DIVIDER) return [];
  if (value.trim() === BREAK) return [paragraph([lineBreak()])];
  tellAt(conversion, node)("raw-html", "loss", "The HTML was read as far as wiki text can express it.");
  return blocksOfHtml(node, conversion);
}

/** A footnote stays at its definition, after its number. */
function readFootnote(node: FootnoteDefinition, conversion: Conversion): readonly Block[] {
  const number = `[${footnoteNumber(conversion, node.identifier)}]`;
  const blocks = node.children.flatMap((child) => readBlock(child, conversion));
  const [first, ...others] = blocks;
  if (first?.type === "paragraph") return [paragraph([text(`${number} `), ...first.children]), ...others];
  return [paragraph([text(number)]), ...blocks];
}

type ReadBlock = (node: Flow, conversion: Conversion) => readonly Block[];

/** Includes blocks that an item cannot contain. `depth`: that of the list among lists. */
function readItems(node: List, conversion: Conversion, read: ReadBlock, depth = 1): readonly ReadItem[] {
  if (node.ordered === true) tellStart(node.start, tellAt(conversion, node));
  return node.children.flatMap((item) => readItem(item, conversion, read, depth));
}

function readItem(node: ListItem, conversion: Conversion, read: ReadBlock, depth: number): readonly ReadItem[] {
  const parts = itemParts();
  for (const child of node.children) readChild(parts, child, { conversion, read, depth });
  const tell = tellAt(conversion, node);
  if (typeof node.checked === "boolean") {
    tell("task-list", "loss", "Wiki text does not have task lists. The check box becomes text.");
    parts.lines.unshift([text(node.checked ? "[x] " : "[ ] "), ...parts.lines.splice(0, 1).flat()]);
  }
  return finishItem(parts, tell);
}

interface Given {
  readonly conversion: Conversion;
  readonly read: ReadBlock;
  readonly depth: number;
}

function readChild(parts: ItemParts, node: Flow, { conversion, read, depth }: Given): void {
  const tell = tellAt(conversion, node);
  if (node.type === "paragraph" || node.type === "heading") {
    parts.lines.push(readLine(node.children, conversion));
    if (node.type === "paragraph") return;
    tell(
      "block-in-item",
      "loss",
      "An item of wiki text cannot contain a heading. The heading becomes a line of the item.",
    );
  } else if (node.type === "html" && node.value.trim() === BREAK) {
    parts.lines.push([lineBreak()]);
  } else if (node.type === "list") {
    takeList(parts, node.ordered === true, readItems(node, conversion, read, depthInside(depth)), depth, tell);
  } else {
    takeBlocks(parts, read(node, conversion), node.type, tell);
  }
}

/** A comment before it has the fields, the last line the author. A nested one becomes blocks. */
function readQuote(node: Blockquote, conversion: Conversion, read: ReadBlock): readonly Block[] {
  if (conversion.quoted) {
    tellAt(conversion, node)(
      "quote-in-quote",
      "loss",
      "Quotations do not nest in wiki text. The content of the inner one is kept.",
    );
    return node.children.flatMap((child) => read(child, conversion));
  }
  const inside = { ...conversion, quoted: true };
  const parameters = fieldsOf(node.children[0]);
  const name = nameBehindDash(node.children.at(-1));
  const words = node.children.slice(parameters.length > 0 ? 1 : 0, name === undefined ? undefined : -1);
  const children = words.flatMap((child) => read(child, inside));
  const attribution = name === undefined ? [] : readLine(name, inside);
  return [{ ...quote(children, { attribution }), parameters }];
}

function fieldsOf(node: Flow | undefined): readonly Parameter[] {
  const fields = node?.type === "html" ? QUOTE_FIELDS.exec(node.value)?.[1] : undefined;
  return (fields?.split("|") ?? []).map((field) => {
    const equals = field.indexOf("=");
    return parameter(field.slice(0, equals), field.slice(equals + 1));
  });
}
