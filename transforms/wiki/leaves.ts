import { blanksAtEnd, blanksAtStart, isBlank } from "./blanks.js";
import { opensNewWindow } from "./read-tree.js";
import type { GuideList, Image, Inline, Link, MarkType, Parameter, Video } from "./tree.js";

/** Running text with its marks spread over it: the form for comparisons and document trees. */
export type Leaf = TextLeaf | BreakLeaf | ImageLeaf | MacroLeaf;

export type LeafMark = Readonly<{ type: MarkType }> | LinkMark;

/** A link to an address; the other kinds have no form in a document tree and are macros. */
export interface LinkMark {
  readonly type: "link";
  readonly href: string;
  readonly newWindow: boolean;
}

interface Marked {
  /** Outermost first, each type once. */
  readonly marks: readonly LeafMark[];
}

export interface TextLeaf extends Marked {
  readonly type: "text";
  readonly value: string;
}

interface BreakLeaf extends Marked {
  readonly type: "break";
}

export interface ImageLeaf extends Marked {
  readonly type: "image";
  readonly id: string;
  /** As written, without blanks: `align`, `size`. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** A link by reference, a bare address, a video or a list of guides: only in wiki syntax. */
export interface MacroLeaf extends Marked {
  readonly type: "macro";
  readonly node: Link | Image | Video | GuideList;
}

export function sameMark(one: LeafMark, other: LeafMark): boolean {
  if (one.type !== "link" || other.type !== "link") return one.type === other.type;
  return one.href === other.href && one.newWindow === other.newWindow;
}

function sameMarks(one: readonly LeafMark[], other: readonly LeafMark[]): boolean {
  return one.length === other.length && one.every((mark) => other.some((each) => sameMark(mark, each)));
}

export function joinTexts<L extends Leaf>(leaves: readonly L[]): readonly L[] {
  const joined: L[] = [];
  for (const leaf of leaves) {
    const last = joined.at(-1);
    const joins = leaf.type === "text" && last?.type === "text" && sameMarks(last.marks, leaf.marks);
    if (joins) joined[joined.length - 1] = { ...last, value: last.value + leaf.value };
    else joined.push(leaf);
  }
  return joined;
}

/**
 * Spreads marks over leaves. Opaque nodes are text, as on the site; links by reference, videos and
 * lists of guides are macros, and an unlabelled address link is its address.
 */
export function leavesOf(inlines: readonly Inline[], marks: readonly LeafMark[] = []): readonly Leaf[] {
  return inlines.flatMap((inline) => {
    // The compiler cannot infer from a table by type that handler and node match.
    const spread = HANDLERS[inline.type] as (inline: Inline, marks: readonly LeafMark[]) => readonly Leaf[];
    return spread(inline, marks);
  });
}

type Handlers = {
  readonly [T in Inline["type"]]: (
    inline: Extract<Inline, { readonly type: T }>,
    marks: readonly LeafMark[],
  ) => readonly Leaf[];
};

const marked = (
  inline: { readonly type: MarkType; readonly children: readonly Inline[] },
  marks: readonly LeafMark[],
) =>
  leavesOf(inline.children, marks.some(({ type }) => type === inline.type) ? marks : [...marks, { type: inline.type }]);

const macro = (node: MacroLeaf["node"], marks: readonly LeafMark[]): readonly Leaf[] => [
  { type: "macro", node, marks },
];

const HANDLERS: Handlers = {
  text: ({ value }, marks) => [{ type: "text", value, marks }],
  opaque: ({ value }, marks) => [{ type: "text", value, marks }],
  break: (_, marks) => [{ type: "break", marks }],
  strong: marked,
  emphasis: marked,
  underline: marked,
  strike: marked,
  superscript: marked,
  subscript: marked,
  code: marked,
  link: leavesOfLink,
  image: leavesOfImage,
  video: macro,
  guideList: macro,
};

/** What precedes a link's target in its address. Links of other kinds go by reference. */
const SCHEMES: Readonly<Partial<Record<Link["kind"], string>>> = { url: "", mailto: "mailto:" };

function leavesOfLink(link: Link, marks: readonly LeafMark[]): readonly Leaf[] {
  const scheme = SCHEMES[link.kind];
  const plain = [...link.leading, ...link.parameters].every((parameter) => nameOf(parameter) === "new_window");
  if (scheme === undefined || !plain) return macro(link, marks);
  const href = scheme + link.target;
  const inside: readonly LeafMark[] = [...marks, { type: "link", href, newWindow: opensNewWindow(link) }];
  const label = leavesOf(link.children, inside);
  return label.length > 0 ? label : [{ type: "text", value: link.target, marks: inside }];
}

const IMAGE_PARAMETERS: ReadonlySet<string> = new Set(["align", "size"]);

function leavesOfImage(image: Image, marks: readonly LeafMark[]): readonly Leaf[] {
  if (!image.parameters.every((parameter) => IMAGE_PARAMETERS.has(nameOf(parameter)))) return macro(image, marks);
  const parameters = Object.fromEntries(image.parameters.map((each) => [nameOf(each), each.value.trim()]));
  return [{ type: "image", id: image.target.trim(), parameters, marks }];
}

function nameOf(parameter: Parameter): string {
  return parameter.name.trim().toLowerCase();
}

interface Edges {
  readonly before: readonly Leaf[];
  /** Empty when the stretch shows nothing. */
  readonly within: readonly Leaf[];
  readonly after: readonly Leaf[];
}

/** Separates blanks and breaks at both ends of a stretch from what they surround. */
export function splitEdges(leaves: readonly Leaf[]): Edges {
  const pieces = leaves.flatMap(piecesOf);
  const first = pieces.findIndex(isVisible);
  if (first < 0) return { before: leaves, within: [], after: [] };
  const end = pieces.findLastIndex(isVisible) + 1;
  return { before: pieces.slice(0, first), within: joinTexts(pieces.slice(first, end)), after: pieces.slice(end) };
}

/** Drops blanks at the edges of a block, which wiki text does not keep; breaks stay. */
export function trimBlanks(leaves: readonly Leaf[]): readonly Leaf[] {
  const shown = leaves.slice(Math.max(leaves.findIndex(isWritten), 0), leaves.findLastIndex(isWritten) + 1);
  const [first] = shown;
  if (first?.type === "text") shown[0] = { ...first, value: first.value.slice(blanksAtStart(first.value)) };
  const last = shown.at(-1);
  if (last?.type === "text") {
    shown[shown.length - 1] = { ...last, value: last.value.slice(0, last.value.length - blanksAtEnd(last.value)) };
  }
  return joinTexts(shown.filter((leaf) => leaf.type !== "text" || leaf.value !== ""));
}

export function isWritten(leaf: Leaf): boolean {
  return leaf.type === "break" || isVisible(leaf);
}

export function isVisible(leaf: Leaf): boolean {
  return leaf.type === "text" ? !isBlank(leaf.value) : leaf.type !== "break";
}

/** Splits a text into leading blanks, visible text, and trailing blanks. */
function piecesOf(leaf: Leaf): readonly Leaf[] {
  if (leaf.type !== "text") return [leaf];
  const start = blanksAtStart(leaf.value);
  const end = Math.max(start, leaf.value.length - blanksAtEnd(leaf.value));
  return [leaf.value.slice(0, start), leaf.value.slice(start, end), leaf.value.slice(end)]
    .filter((value) => value !== "")
    .map((value) => ({ ...leaf, value }));
}

/** Whether a node is an image, a video or a list of guides, which can be a block. */
export function isMedium<Node extends { readonly type: string }>(
  node: Node,
): node is Node & (Image | Video | GuideList) {
  return node.type === "image" || isBlockMedium(node);
}

/** Whether an inline is shown as a block and ends the paragraph. */
export function isBlockMedium<Node extends { readonly type: string }>(node: Node): node is Node & (Video | GuideList) {
  return node.type === "video" || node.type === "guideList";
}
