import type { Nodes, Root, RootContent } from "mdast";
import { type CompileContext, type Extension, fromMarkdown, type Handle, type Token } from "mdast-util-from-markdown";
import { gfmFromMarkdown, gfmToMarkdown } from "mdast-util-gfm";
import { type Options, toMarkdown } from "mdast-util-to-markdown";
import { gfm } from "micromark-extension-gfm";
import { chunksOf } from "./is-costly.js";
import { parsePlain, printPlain } from "./plain-blocks.js";

/**
 * Reads the boxes of task lists. The parser may take the first text behind an empty item for that
 * item's text; a box there is no box, and the library for it would drop it.
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

/**
 * Without the pass that looks for addresses in finished texts: it would link those that an escape
 * keeps from being links. The parser itself finds the others.
 */
const PARSE_OPTIONS = {
  extensions: [gfm()],
  mdastExtensions: [...gfmFromMarkdown().map(({ transforms: _, ...extension }) => extension), TASK_LIST],
};

/**
 * CommonMark with GFM as a syntax tree. Of places the offsets are those of the text; lines count
 * from the chunk that was parsed.
 */
export function parseMarkdown(markdown: string): Root {
  const chunks = chunksOf(markdown);
  if (chunks.length === 1) return parseChunk(markdown);
  const first = chunks.map(({ text }) => (text.includes("]:") ? parseChunk(text) : undefined));
  const own = first.map((tree) => new Set(tree === undefined ? [] : labelsDefined(tree)));
  const all = new Set(own.flatMap((labels) => [...labels]));
  const children = chunks.flatMap(({ text, start }, at) => {
    const before = definitionsFor(text, all, own[at]);
    const tree = before === "" ? (first[at] ?? parseChunk(text)) : parseChunk(before + text);
    const blocks = tree.children.filter(({ position }) => (position?.start.offset ?? 0) >= before.length);
    return blocks.map((node) => moved(node, start - before.length));
  });
  return { type: "root", children };
}

function parseChunk(text: string): Root {
  return parsePlain(text) ?? parseAny(text);
}

/** What links and footnotes of a text may refer to, wherever it stands. */
function labelsDefined(node: Nodes): readonly string[] {
  if (node.type === "definition") return [node.identifier];
  const inner = "children" in node ? node.children.flatMap(labelsDefined) : [];
  return node.type === "footnoteDefinition" ? [`^${node.identifier}`, ...inner] : inner;
}

/**
 * Brackets around no others, with or without an escape in them. Of a label the parser takes up to
 * 999 characters.
 */
const LABEL = /\[((?:\\[\s\S]|[^\\[\]]){1,999})\]/g;

/**
 * Definitions of all that a chunk may refer to and that stand in others: without them the parser
 * takes a reference for words. They lead nowhere, since who reads the tree takes the definitions of
 * the whole text.
 */
function definitionsFor(text: string, all: ReadonlySet<string>, own?: ReadonlySet<string>): string {
  if (all.size === 0) return "";
  const labels = new Set(Array.from(text.matchAll(LABEL), ([, label = ""]) => identifierOf(label)));
  const used = [...labels].filter((label) => all.has(label) && !own?.has(label));
  // The heading ends the last note.
  return used.length === 0 ? "" : `${used.map((label) => `[${label}]: #\n\n`).join("")}#\n\n`;
}

/** As the parser compares labels; the marks of quotes at the beginning of a line are none of it. */
function identifierOf(label: string): string {
  const words = label.replace(/\n[ \t>]*/g, " ").replace(/[ \t\r\n]+/g, " ");
  return words.trim().toLowerCase().toUpperCase().toLowerCase();
}

/** The same tree, its places counted from a text that it stands in. */
function moved<N extends Nodes>(node: N, by: number): N {
  const { position } = node;
  if (position !== undefined) {
    const [start = 0, end = 0] = [position.start.offset, position.end.offset];
    node.position = { start: { ...position.start, offset: start + by }, end: { ...position.end, offset: end + by } };
  }
  for (const child of "children" in node ? node.children : []) moved(child, by);
  return node;
}

/** The same by way of the parser, whatever the text is. */
export function parseAny(markdown: string): Root {
  return fromMarkdown(markdown, PARSE_OPTIONS);
}

/**
 * As people write it: `-` before items, one blank behind it, stars around marks, fences around
 * code.
 */
const PRINT_OPTIONS: Options = {
  extensions: [gfmToMarkdown()],
  bullet: "-",
  emphasis: "*",
  fences: true,
  listItemIndent: "one",
};

/** Markdown text; "" for no blocks. */
export function printMarkdown(children: RootContent[]): string {
  return children.length > 0 ? (printPlain(children) ?? printAny(children)) : "";
}

/** The same by way of the printer, whatever the blocks are. */
export function printAny(children: RootContent[]): string {
  return toMarkdown({ type: "root", children }, PRINT_OPTIONS);
}
