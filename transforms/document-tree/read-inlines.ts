import type { JsonObject } from "../../src/core/util/json.js";
import { image, lineBreak, mark, text } from "../wiki/build.js";
import { addressLink, inlinesIn, writableAddress } from "../wiki/draft.js";
import {
  isVisible,
  type Leaf,
  type LeafMark,
  type LinkMark,
  leavesOf,
  sameMark,
  splitEdges,
  type TextLeaf,
  trimBlanks,
} from "../wiki/leaves.js";
import { parse } from "../wiki/parse.js";
import type { Inline, Position } from "../wiki/tree.js";
import { DEEPEST_NODE, inside, type ReadNode, readNode, report, type Spot } from "./read-node.js";
import { MARK_KINDS, MARK_ORDER } from "./vocabulary.js";

export function inlinesOf(leaves: readonly Leaf[], spot: Spot): readonly Inline[] {
  return nestLeaves(normaliseLinks(macrosInTexts(trimBlanks(leaves)), spot));
}

/** On one line: a line end would end a heading or an item. */
export function lineInlinesOf(leaves: readonly Leaf[], spot: Spot): readonly Inline[] {
  return inlinesOf(leaves.map(onOneLine), spot);
}

function onOneLine(leaf: Leaf): Leaf {
  return leaf.type === "text" ? { ...leaf, value: leaf.value.replaceAll(/[ \t]*\n[ \t\n]*/g, " ") } : leaf;
}

/** Reports other nodes and reads them as running text. */
export function readLeaves(content: readonly unknown[], spot: Spot, around: readonly LeafMark[] = []): readonly Leaf[] {
  if (spot.depth > DEEPEST_NODE) return deepText(content, spot);
  return content.flatMap((value, index) => readLeavesOf(value, inside(spot, index), around));
}

export function readLeavesOf(value: unknown, spot: Spot, around: readonly LeafMark[] = []): readonly Leaf[] {
  const node = readNode(value);
  const own = readMarks(node.marks, spot).filter(({ type }) => !around.some((mark) => mark.type === type));
  return readLeaf(node, spot, [...around, ...own]);
}

function readLeaf(node: ReadNode, spot: Spot, marks: readonly LeafMark[]): readonly Leaf[] {
  if (node.kind === "text") return node.text === "" ? [] : [{ type: "text", value: node.text, marks }];
  if (node.kind === "break") return [{ type: "break", marks }];
  if (node.kind === "image") return readImage(node, spot, marks);
  reportUnknown(node, spot);
  const own: readonly Leaf[] = node.text === "" ? [] : [{ type: "text", value: node.text, marks }];
  return [...own, ...readLeaves(node.content, spot, marks)];
}

export function reportUnknown({ type, kind }: ReadNode, spot: Spot): void {
  if (kind === undefined) {
    report(spot, "unknown-node", "loss", `Wiki text does not have a node "${type}". Its text is kept.`);
  } else {
    report(spot, "misplaced-node", "loss", `A "${type}" is not allowed here in wiki text. Its text is kept.`);
  }
}

/** All text below, at any depth, in order. */
function deepText(content: readonly unknown[], spot: Spot): readonly Leaf[] {
  report(spot, "too-deep", "error", `The tree is deeper than ${DEEPEST_NODE} nodes here. Only the text below is kept.`);
  const texts: string[] = [];
  const rest = content.toReversed();
  while (rest.length > 0) {
    const node = readNode(rest.pop());
    texts.push(node.text);
    for (const child of node.content.toReversed()) rest.push(child);
  }
  const value = texts.filter((text) => text !== "").join(" ");
  return value === "" ? [] : [{ type: "text", value, marks: [] }];
}

/** Marks of the wiki syntax; each type once, the first of them. */
function readMarks(marks: readonly unknown[], spot: Spot): readonly LeafMark[] {
  const read: LeafMark[] = [];
  for (const value of marks) {
    const mark = readMark(value, spot);
    if (mark !== undefined && !read.some(({ type }) => type === mark.type)) read.push(mark);
  }
  return read;
}

function readMark(value: unknown, spot: Spot): LeafMark | undefined {
  const { type, text, attributes } = readNode(value);
  const name = text === "" ? type : text;
  const kind = MARK_KINDS.get(name);
  if (kind === "link") return readLink(attributes, spot);
  if (kind !== undefined) return { type: kind };
  report(spot, "unknown-mark", "loss", `Wiki text does not have the mark "${name}". The text is kept without it.`);
  return undefined;
}

/** Targets without a report: the same window is the default. */
const SAME_WINDOW: ReadonlySet<unknown> = new Set([undefined, null, "", "_self"]);

function readLink({ href, title, target }: JsonObject, spot: Spot): LeafMark | undefined {
  const address = typeof href === "string" ? writableAddress(href) : undefined;
  if (address === undefined) {
    report(
      spot,
      "link-address",
      "loss",
      `A link cannot have the address ${JSON.stringify(href ?? null)}. Its text is kept.`,
    );
    return undefined;
  }
  if (typeof title === "string" && title !== "") {
    report(spot, "link-title", "loss", `Wiki text does not have titles of links. "${title}" is left out.`);
  }
  if (!SAME_WINDOW.has(target) && target !== "_blank") {
    report(
      spot,
      "link-target",
      "loss",
      `Wiki text does not have the target "${String(target)}" of links. The target is left out.`,
    );
  }
  return { type: "link", href: address, newWindow: target === "_blank" };
}

/**
 * An image by id, always with place and size like the vendor's (wiki-syntax 5). An image with only
 * an address becomes a link to it.
 */
function readImage({ attributes }: ReadNode, spot: Spot, marks: readonly LeafMark[]): readonly Leaf[] {
  const id = String(attributes["imageid"] ?? attributes["imageId"] ?? "").trim();
  const { src, alt } = attributes;
  const isOfSite = /^\d+$/.test(id);
  const href = typeof src === "string" ? writableAddress(src) : undefined;
  const label = !isOfSite && href !== undefined && typeof alt === "string" && alt.trim() !== "" ? alt : undefined;
  const others = Object.entries(attributes).filter(
    ([name, value]) => !KNOWN.has(name) && isSet(value) && value !== label,
  );
  for (const [name, value] of others) {
    report(
      spot,
      "image-field",
      "loss",
      `Wiki text does not have "${name}" of images. ${JSON.stringify(value)} is left out.`,
    );
  }
  if (isOfSite) return [{ type: "image", id, parameters: parametersOf(attributes, spot), marks }];
  if (href === undefined) {
    report(spot, "image-without-id", "loss", "An image has neither an id nor an address. It is left out.");
    return [];
  }
  report(spot, "image-without-id", "loss", `An image has no id of the site. It becomes a link to ${href}.`);
  const link: LeafMark = { type: "link", href, newWindow: false };
  return [{ type: "text", value: label ?? "image", marks: [...marks.filter(({ type }) => type !== "link"), link] }];
}

const KNOWN: ReadonlySet<string> = new Set(["imageid", "imageId", "src", "size", "align"]);

function isSet(value: unknown): boolean {
  return value !== null && value !== undefined && value !== "" && value !== false;
}

/** In the vendor's order. */
const DEFAULTS = { align: "left", size: "standard" } as const;

function parametersOf(attributes: ReadNode["attributes"], spot: Spot): Readonly<Record<string, string>> {
  const values = Object.entries(DEFAULTS).map(([name, otherwise]) => {
    const value = attributes[name] ?? otherwise;
    if (typeof value === "string" && /^[\w-]+$/.test(value)) return [name, value];
    report(
      spot,
      "image-field",
      "loss",
      `The ${name} of an image cannot be ${JSON.stringify(value)}. It becomes ${otherwise}.`,
    );
    return [name, otherwise];
  });
  return Object.fromEntries(values);
}

/**
 * Finds macros in texts. The site keeps the source of links by reference, videos and others as text
 * (wiki-syntax 4.2), so any macro with a keyword is that macro. All other markup in a text is text.
 * The label of a link holds no macros.
 */
function macrosInTexts(leaves: readonly Leaf[]): readonly Leaf[] {
  return leaves.flatMap((leaf) => {
    const closed = leaf.type !== "text" || leaf.marks.some(({ type }) => type === "link") || !leaf.value.includes("[");
    return closed ? [leaf] : splitMacros(leaf);
  });
}

/** Precedes the text so that it does not begin a block. */
const GUARD = "x";

function splitMacros(leaf: TextLeaf): readonly Leaf[] {
  const { value, marks } = leaf;
  // Line ends become blanks, so that no block begins inside of the text and positions stay.
  const { tree } = parse(GUARD + value.replaceAll("\n", " "), { context: "page" });
  const leaves: Leaf[] = [];
  let done = 0;
  for (const macro of inlinesIn(tree.children).flatMap(macrosIn)) {
    const { start, end } = macro.position as Position; // The parser always sets it.
    leaves.push({ ...leaf, value: value.slice(done, start - GUARD.length) }, ...leavesOf([macro], marks));
    done = end - GUARD.length;
  }
  return [...leaves, { ...leaf, value: value.slice(done) }].filter((each) => each.type !== "text" || each.value !== "");
}

/** Macros with a keyword, also under marks that are only text here. */
function macrosIn(inline: Inline): readonly Inline[] {
  if (inline.type === "text" || inline.type === "opaque") return [];
  if (inline.type === "link") return KEYWORD.test(inline.open) ? [inline] : [];
  return "children" in inline ? inline.children.flatMap(macrosIn) : [inline];
}

const KEYWORD = /^\[(?:\[|\s*[a-z_]+\s*\|)/i;

/**
 * Removes links from content that cannot be a label: images, macros, only spaces. A link without a
 * label follows its content, with its address as label.
 */
function normaliseLinks(leaves: readonly Leaf[], spot: Spot): readonly Leaf[] {
  const normalised: Leaf[] = [];
  let at = 0;
  for (let first = leaves[at]; first !== undefined; first = leaves[at]) {
    const link = linkOver(first);
    const end = link === undefined ? at + 1 : endOfLink(link, leaves, at);
    const stretch = leaves.slice(at, end);
    for (const leaf of link === undefined ? stretch : normaliseStretch(link, stretch, spot)) normalised.push(leaf);
    at = end;
  }
  return normalised;
}

function normaliseStretch(link: LinkMark, stretch: readonly Leaf[], spot: Spot): readonly Leaf[] {
  const hasLabel = stretch.some((leaf) => leaf.type === "text" && isVisible(leaf));
  const overMacro = stretch.some((leaf) => leaf.type === "image" || leaf.type === "macro");
  if (overMacro) {
    const message = `In wiki text an image or a macro cannot be a link. The link to ${link.href} is next to it.`;
    report(spot, "link-over-macro", "loss", message);
  } else if (!hasLabel) {
    report(spot, "link-without-label", "loss", `The link to ${link.href} has no label. It is left out.`);
  }
  const kept = stretch.map((leaf) => (hasLabel && LABEL_LEAVES.has(leaf.type) ? leaf : withoutLink(leaf)));
  if (hasLabel || !overMacro) return kept;
  return [...kept, { type: "text", value: " ", marks: [] }, { type: "text", value: link.href, marks: [link] }];
}

const LABEL_LEAVES: ReadonlySet<Leaf["type"]> = new Set(["text", "break"]);

function linkOver({ marks }: Leaf): LinkMark | undefined {
  return marks.find((mark) => mark.type === "link");
}

function endOfLink(link: LinkMark, leaves: readonly Leaf[], at: number): number {
  let end = at + 1;
  while (leaves[end]?.marks.some((mark) => sameMark(mark, link))) end += 1;
  return end;
}

function withoutLink(leaf: Leaf): Leaf {
  return { ...leaf, marks: leaf.marks.filter(({ type }) => type !== "link") };
}

/**
 * Nests marks around leaves: the longest outermost, then in the vendor's order. Spaces and breaks
 * at the edges stay outside (wiki-syntax 5), so a mark over nothing else disappears.
 */
function nestLeaves(leaves: readonly Leaf[]): readonly Inline[] {
  const inlines: Inline[] = [];
  let at = 0;
  for (let first = leaves[at]; first !== undefined; first = leaves[at]) {
    const { outer, end } = longestStretch(leaves, first, at);
    const nested = outer === undefined ? [inlineOf(first)] : nestUnder(outer, leaves.slice(at, end));
    for (const inline of nested) inlines.push(inline);
    at = end;
  }
  return inlines;
}

interface Stretch {
  readonly outer: LeafMark | undefined;
  readonly end: number;
}

/** The mark on the first leaf that extends farthest, and its end. */
function longestStretch(leaves: readonly Leaf[], first: Leaf, at: number): Stretch {
  const ranked = first.marks.toSorted((one, other) => MARK_ORDER.indexOf(one.type) - MARK_ORDER.indexOf(other.type));
  const stretches: readonly Stretch[] = ranked.map((outer) => ({ outer, end: endOfMark(outer, leaves, at) }));
  const [longest] = stretches.toSorted((one, other) => other.end - one.end);
  return longest ?? { outer: undefined, end: at + 1 };
}

function endOfMark(outer: LeafMark, leaves: readonly Leaf[], at: number): number {
  let end = at + 1;
  while (leaves[end]?.marks.some((each) => sameMark(each, outer))) end += 1;
  return end;
}

function nestUnder(outer: LeafMark, leaves: readonly Leaf[]): readonly Inline[] {
  const free = leaves.map((leaf) => ({ ...leaf, marks: leaf.marks.filter((each) => !sameMark(each, outer)) }));
  const { before, within, after } = splitEdges(free);
  const children = nestLeaves(within);
  return [...nestLeaves(before), ...(children.length > 0 ? [markOver(outer, children)] : []), ...nestLeaves(after)];
}

function markOver(outer: LeafMark, children: readonly Inline[]): Inline {
  return outer.type === "link" ? addressLink(outer.href, children, outer.newWindow) : mark(outer.type, children);
}

function inlineOf(leaf: Leaf): Inline {
  if (leaf.type === "text") return text(leaf.value);
  if (leaf.type === "break") return lineBreak();
  return leaf.type === "image" ? image(leaf.id, leaf.parameters) : leaf.node;
}
