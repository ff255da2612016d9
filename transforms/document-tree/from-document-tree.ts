import { codeBlock, embed, heading, image, paragraph, quote, text, video } from "../wiki/build.js";
import {
  depthInside,
  finishItem,
  type ItemParts,
  itemParts,
  listBlocks,
  type ReadItem,
  separateMedia,
  takeBlocks,
  takeList,
  tellStart,
  unspaced,
} from "../wiki/draft.js";
import { isWritten, type Leaf } from "../wiki/leaves.js";
import { normalisePage } from "../wiki/normalise.js";
import { parse } from "../wiki/parse.js";
import { print } from "../wiki/print.js";
import type { Block, CodeBlock, Heading, HeadingLevel, Inline, Page, PageMacro } from "../wiki/tree.js";
import { inlinesOf, lineInlinesOf, readLeaves, readLeavesOf, reportUnknown } from "./read-inlines.js";
import {
  DEEPEST_NODE,
  inside,
  type ReadNode,
  readNode,
  report,
  reportAttributes,
  type Spot,
  stretchEnd,
  type TreeIssue,
  tellAt,
} from "./read-node.js";
import type { NodeKind } from "./vocabulary.js";

export interface FromDocumentTree {
  readonly tree: Page;
  readonly issues: readonly TreeIssue[];
}

/**
 * Converts a document tree of either vocabulary, or a mixture, to wiki text. Accepts any value:
 * unknown nodes and marks are reported, and their text is kept.
 */
export function fromDocumentTree(document: unknown): FromDocumentTree {
  const issues: TreeIssue[] = [];
  const spot: Spot = { conversion: { issues }, path: "", depth: 0, quoted: false };
  const node = readNode(document);
  if (node.kind !== "doc") {
    report(
      spot,
      "no-document",
      "error",
      `The first node of a document tree is "doc", not ${JSON.stringify(node.type)}.`,
    );
  }
  reportAttributes(document, spot);
  const read = readBlocks(node.kind === "doc" ? node.content : [document], spot);
  const drafts = read.map(({ block, spot: place }) => ({ block, tell: tellAt(place) }));
  return { tree: normalisePage(drafts, tellAt(spot)), issues };
}

/** A block, and the place of the node that it comes from. */
export interface Draft {
  readonly block: Block;
  readonly spot: Spot;
}

/**
 * Blocks of a document, a quotation or an unknown node. Running text becomes paragraphs. `first`:
 * the index of the first node in its parent.
 */
function readBlocks(content: readonly unknown[], spot: Spot, first = 0): readonly Draft[] {
  if (spot.depth > DEEPEST_NODE) return draftsOf(paragraphsOf(readLeaves(content, spot), spot), spot);
  const drafts: Draft[] = [];
  for (let at = 0, end = 0; at < content.length; at = end) {
    end = stretchEnd(content, at);
    const read = readStretch(content.slice(at, end), spot, first + at);
    for (const draft of read) drafts.push(draft);
    if (read.length === 0 && content.length > 1) {
      report(inside(spot, first + at), "empty-node", "note", "A node without content is left out.");
    }
  }
  return drafts;
}

function readStretch(nodes: readonly unknown[], spot: Spot, first: number): readonly Draft[] {
  const place = inside(spot, first);
  const node = readNode(nodes[0]);
  const read = node.kind === undefined ? readUnknown : READERS[node.kind];
  if (read !== undefined) return read(node, place);
  const leaves = nodes.flatMap((each, at) => readLeavesOf(each, inside(spot, first + at)));
  return draftsOf(paragraphsOf(leaves, place), place);
}

type Reader = (node: ReadNode, spot: Spot) => readonly Draft[];

const readUnknown: Reader = (node, spot) => {
  reportUnknown(node, spot);
  const text = node.text === "" ? [] : [{ type: "text", text: node.text }];
  return readBlocks([...text, ...node.content], spot);
};

/** Nodes of running text have no reader: they are read together. */
const READERS: Readonly<Partial<Record<NodeKind, Reader>>> = {
  doc: readUnknown,
  listItem: readUnknown,
  paragraph: (node, spot) => draftsOf(readParagraph(node, spot), spot),
  heading: (node, spot) => draftsOf(readHeading(node, spot), spot),
  bulletList: (node, spot) => draftsOf(listBlocks(false, readItems(node, spot, blocksIn)), spot),
  orderedList: (node, spot) => draftsOf(listBlocks(true, readItems(node, spot, blocksIn)), spot),
  codeBlock: (node, spot) => draftsOf([readCode(node, spot)], spot),
  quote: (node, spot) => draftsOf(readQuote(node, spot, blocksIn), spot),
};

function draftsOf(blocks: readonly Block[], spot: Spot): readonly Draft[] {
  return blocks.map((block) => ({ block, spot }));
}

function blocksIn(content: readonly unknown[], spot: Spot, first?: number): readonly Block[] {
  return readBlocks(content, spot, first).map(({ block }) => block);
}

/** Empty for an empty paragraph. A video's paragraph repeats its address (wiki-syntax 4.2). */
function readParagraph({ attributes, content }: ReadNode, spot: Spot): readonly Block[] {
  const blocks = paragraphsOf(readLeaves(content, spot), spot);
  const { rule, url } = attributes;
  if (blocks.length > 0 || rule !== "Video" || typeof url !== "string" || url === "") return blocks;
  return [embed(video(url, fieldsOf(attributes)))];
}

/** Defaults of a video (wiki-syntax 4.2). */
const USUAL: Readonly<Record<string, string>> = { align: "center", size: "large", caption: "" };

function fieldsOf(attributes: ReadNode["attributes"]): Readonly<Record<string, string>> {
  const parameters = Object.entries(USUAL).flatMap(([name, usual]): readonly (readonly [string, string])[] => {
    const value = attributes[name];
    return typeof value === "string" && value !== usual && /^[^|[\]\n]+$/.test(value) ? [[name, value]] : [];
  });
  return Object.fromEntries(parameters);
}

/** Page macros and block media become blocks of their own. */
function paragraphsOf(leaves: readonly Leaf[], spot: Spot): readonly Block[] {
  if (!leaves.some(isWritten)) return [];
  const macro = pageMacroIn(leaves);
  if (macro !== undefined) return [macro];
  return separateMedia(inlinesOf(leaves, spot));
}

/** The page macro that an unmarked text is the source of. */
function pageMacroIn(leaves: readonly Leaf[]): PageMacro | undefined {
  const source = leaves.map((leaf) => (leaf.type === "text" && leaf.marks.length === 0 ? leaf.value : "x")).join("");
  if (!source.startsWith("[")) return undefined;
  const [block, ...others] = unspaced(parse(source, { context: "page" }).tree.children);
  return block?.type === "pageMacro" && others.length === 0 ? block : undefined;
}

function readHeading({ attributes, content }: ReadNode, spot: Spot): readonly Heading[] {
  const leaves = readLeaves(content, spot);
  return leaves.some(isWritten) ? [heading(levelOf(attributes["level"], spot), lineInlinesOf(leaves, spot))] : [];
}

/** The vendor's editor has 1 as the default (wiki-syntax 4.1). */
function levelOf(given: unknown, spot: Spot): HeadingLevel {
  const wanted = given === undefined || given === null ? 1 : Number(given);
  const level = LEVELS.find((each) => each === wanted);
  if (level === undefined) {
    report(spot, "heading-level", "loss", `A heading cannot have level ${JSON.stringify(given)}. It gets level 6.`);
    return 6;
  }
  if (level === 1) {
    report(
      spot,
      "top-heading",
      "note",
      "Sites are not known to have headings of level 1. The heading is written with level 1.",
    );
  }
  return level;
}

const LEVELS: readonly HeadingLevel[] = [1, 2, 3, 4, 5, 6];

function readCode({ content }: ReadNode, spot: Spot): CodeBlock {
  const leaves = readLeaves(content, spot);
  if (leaves.some((leaf) => leaf.marks.length > 0 || leaf.type === "image")) {
    report(
      spot,
      "markup-in-code",
      "loss",
      "A code block contains only plain text. The text of its other content is kept.",
    );
  }
  return codeBlock(leaves.map(textOf).join(""));
}

function textOf(leaf: Leaf): string {
  if (leaf.type === "text") return leaf.value;
  return leaf.type === "image" ? print(image(leaf.id, leaf.parameters)) : "\n";
}

/** Includes blocks that an item cannot contain. `depth`: that of the list among lists. */
function readItems(node: ReadNode, spot: Spot, read: ReadBlocks, depth = 1): readonly ReadItem[] {
  if (spot.depth > DEEPEST_NODE) {
    const parts = itemParts();
    parts.lines.push(lineInlinesOf(readLeaves(node.content, spot), spot));
    return finishItem(parts, tellAt(spot));
  }
  if (node.kind === "orderedList") tellStart(node.attributes["order"] ?? node.attributes["start"] ?? 1, tellAt(spot));
  return node.content.flatMap((value, index) => {
    const place = inside(spot, index);
    const item = readNode(value);
    if (item.kind === undefined) reportUnknown(item, place);
    const content = item.kind === undefined ? [item.text, ...item.content] : [value];
    return readItem(item.kind === "listItem" ? item.content : content, place, read, depth);
  });
}

function readItem(content: readonly unknown[], spot: Spot, read: ReadBlocks, depth: number): readonly ReadItem[] {
  const parts = itemParts();
  for (let at = 0, end = 0; at < content.length; at = end) {
    end = stretchEnd(content, at);
    const node = readNode(content[at]);
    const take = (node.kind === undefined ? undefined : TAKERS[node.kind]) ?? takeOther;
    take(parts, node, { values: content.slice(at, end), spot: inside(spot, at), around: spot, at, read, depth });
  }
  return finishItem(parts, tellAt(spot));
}

interface Given {
  /** One block, or adjacent nodes of running text. */
  readonly values: readonly unknown[];
  readonly spot: Spot;
  readonly around: Spot;
  readonly at: number;
  readonly read: ReadBlocks;
  readonly depth: number;
}

type Taker = (parts: ItemParts, node: ReadNode, given: Given) => void;

const takeRunningText: Taker = ({ lines }, _, { values, spot, around, at }) => {
  const leaves = values.flatMap((value, index) => readLeavesOf(value, inside(around, at + index)));
  if (leaves.length > 0) lines.push(lineInlinesOf(leaves, spot));
};

const takeLine: Taker = ({ lines }, { content }, { spot }) => {
  const leaves = readLeaves(content, spot);
  if (leaves.length > 0) lines.push(lineInlinesOf(leaves, spot));
};

const takeNested: Taker = (parts, node, { spot, read, depth }) => {
  const items = readItems(node, spot, read, depthInside(depth));
  takeList(parts, node.kind === "orderedList", items, depth, tellAt(spot));
};

const takeOther: Taker = (parts, { type }, { values, spot, around, at, read }) => {
  takeBlocks(parts, read(values, around, at), type, tellAt(spot));
};

const TAKERS: Readonly<Partial<Record<NodeKind, Taker>>> = {
  text: takeRunningText,
  break: takeRunningText,
  image: takeRunningText,
  paragraph: takeLine,
  heading: (parts, node, given) => {
    takeLine(parts, node, given);
    tellAt(given.spot)(
      "block-in-item",
      "loss",
      "An item of wiki text cannot contain a heading. The heading becomes a line of the item.",
    );
  },
  bulletList: takeNested,
  orderedList: takeNested,
};

/** `first`: the place of the first block in its parent, by default 0. */
type ReadBlocks = (content: readonly unknown[], spot: Spot, first?: number) => readonly Block[];

/** A nested quotation becomes its blocks, and its name a line after them. */
function readQuote({ attributes, content }: ReadNode, spot: Spot, read: ReadBlocks): readonly Block[] {
  const attribution = readAttribution(attributes["attribute"], spot);
  const children = read(content, { ...spot, quoted: true });
  if (!spot.quoted) return [quote(children, { attribution, format: formatOf(attributes["format"], spot) })];
  report(spot, "quote-in-quote", "loss", "Quotations do not nest in wiki text. The content of the inner one is kept.");
  return attribution.length > 0 ? [...children, paragraph([text("— "), ...attribution])] : children;
}

/** The vendor stores a paragraph, null, or the word "null" (wiki-syntax 2.1). */
function readAttribution(attribute: unknown, spot: Spot): readonly Inline[] {
  if (attribute === "null" || attribute === null || attribute === undefined) return [];
  const node = readNode(nodeOf(attribute));
  return lineInlinesOf(readLeaves(node.kind === "text" ? [node] : node.content, spot), spot);
}

/** The paragraph can be JSON; other text is a name. */
function nodeOf(attribute: unknown): unknown {
  if (typeof attribute !== "string" || !attribute.startsWith('{"')) return attribute;
  try {
    return JSON.parse(attribute);
  } catch (error) {
    if (error instanceof SyntaxError) return attribute;
    throw error;
  }
}

function formatOf(format: unknown, spot: Spot): string {
  if (format === undefined || format === null || format === "") return "long";
  if (typeof format === "string" && /^[\w-]+$/.test(format)) return format;
  report(
    spot,
    "quote-format",
    "loss",
    `A quotation cannot have the format ${JSON.stringify(format)}. The format is left out.`,
  );
  return "long";
}
