import type { Definition, Html, Link, PhrasingContent, Reference, Text } from "mdast";
import { decodeHtml, readTags } from "../html/from/tags.js";
import { fromHtml } from "../html/from-html.js";
import { lineBreak, mark, text } from "../wiki/build.js";
import { inlinesIn } from "../wiki/draft.js";
import { parse } from "../wiki/parse.js";
import type { Block, Inline, MarkType, Page, TextContext } from "../wiki/tree.js";
import { DIVIDER, NEW_WINDOW, RAW_INLINE } from "./conventions.js";
import { type Conversion, footnoteNumber, placeOf, tellAt } from "./conversion.js";
import { readImage, readLink } from "./read-link.js";

/** Running text on one line: a line end of Markdown is a blank, but would end a heading or item. */
export function readLine(nodes: readonly PhrasingContent[], conversion: Conversion): readonly Inline[] {
  return readInlines(nodes, conversion).map(onOneLine);
}

export function onOneLine(inline: Inline): Inline {
  if (inline.type === "text") return text(inline.value.replaceAll("\n", " "));
  return "children" in inline ? { ...inline, children: inline.children.map(onOneLine) } : inline;
}

/** Elements that only format or group their content. */
const GROUPING = new Set(
  "a abbr acronym bdi bdo big center cite data dfn div font label mark p q samp small span time var wbr".split(" "),
);

/** HTML in running text that becomes no mark. */
function readInlineHtml(node: Html, conversion: Conversion): readonly Inline[] {
  const { value } = node;
  if (value === DIVIDER) return [];
  const tag = readTag(value);
  if (tag?.name === "br") return [lineBreak()];
  const tell = tellAt(conversion, node);
  if (tag?.name === "img") return inlinesIn(blocksOfHtml(node, conversion));
  const isSkipped = tag === undefined || GROUPING.has(tag.name);
  const consequence = isSkipped ? "The tag is left out" : "It is kept as text";
  tell("raw-html", "loss", `Wiki text does not have ${value}. ${consequence}.`);
  return isSkipped ? [] : [text(value)];
}

/** Running text with HTML elements, which Markdown has as single tags between nodes. */
export function readInlines(nodes: readonly PhrasingContent[], conversion: Conversion): readonly Inline[] {
  const elements = elementsIn(nodes);
  const inlines: Inline[] = [];
  let next = 0;
  nodes.forEach((node, at) => {
    if (at < next) return;
    const element = elements.get(at);
    next = (element?.end ?? at) + 1;
    const read =
      element === undefined
        ? readNode(node, conversion)
        : readElement(element, nodes.slice(at, element.end), conversion);
    for (const inline of read) inlines.push(inline);
  });
  return inlines;
}

/** `nodes` begins with the opening tag. */
function readElement({ means }: Element, nodes: readonly PhrasingContent[], conversion: Conversion): readonly Inline[] {
  const [tag, ...inside] = nodes;
  if (typeof means !== "string") return readAnchor(means, tag, inside, conversion);
  const isRaw = tag?.type === "html" && tag.value === RAW_INLINE.open;
  if (isRaw && inside.every(isText)) return rawInlines(inside.map(({ value }) => value).join(""), conversion.context);
  return readUnder(means, inside, conversion);
}

/** An address in it, which Markdown links by itself, is its label. */
function readAnchor(
  { url, newWindow }: Anchor,
  tag: PhrasingContent | undefined,
  inside: readonly PhrasingContent[],
  conversion: Conversion,
): readonly Inline[] {
  const children = inside.flatMap((node) => (node.type === "link" ? node.children : [node]));
  const title = newWindow ? NEW_WINDOW : null;
  const node: Link = { type: "link", url, title, children, ...(tag?.position ? { position: tag.position } : {}) };
  return readLink(node, node, readInlines(children, conversion), conversion);
}

function isText(node: PhrasingContent): node is Text {
  return node.type === "text";
}

function readUnder(mark: MarkType, nodes: readonly PhrasingContent[], conversion: Conversion): readonly Inline[] {
  const inside = readInlines(nodes, { ...conversion, marks: new Set([...conversion.marks, mark]) });
  return markOver(mark, inside, conversion.marks);
}

function readNode(node: PhrasingContent, conversion: Conversion): readonly Inline[] {
  const read = HANDLERS[node.type] as (node: PhrasingContent, conversion: Conversion) => readonly Inline[];
  return read(node, conversion);
}

type Handler<Type extends PhrasingContent["type"]> = (
  node: Extract<PhrasingContent, { readonly type: Type }>,
  conversion: Conversion,
) => readonly Inline[];

const HANDLERS: { readonly [Type in PhrasingContent["type"]]: Handler<Type> } = {
  text: ({ value }) => [text(value)],
  break: () => [lineBreak()],
  strong: ({ children }, conversion) => readUnder("strong", children, conversion),
  emphasis: ({ children }, conversion) => readUnder("emphasis", children, conversion),
  delete: ({ children }, conversion) => readUnder("strike", children, conversion),
  inlineCode: ({ value }, { marks }) => markOver("code", [text(value)], marks),
  html: readInlineHtml,
  link: (node, conversion) => readLink(node, node, readInlines(node.children, conversion), conversion),
  linkReference: (node, conversion) =>
    readLink(node, definitionOf(node, conversion), readInlines(node.children, conversion), conversion),
  image: (node, conversion) => readImage(node, node, conversion),
  imageReference: (node, conversion) => readImage(node, definitionOf(node, conversion), conversion),
  footnoteReference: (node, conversion) => {
    tellAt(conversion, node)(
      "footnote",
      "loss",
      "Wiki text does not have footnotes. This one becomes a number in brackets.",
    );
    return [text(`[${footnoteNumber(conversion, node.identifier)}]`)];
  },
};

/** The parser makes references of defined names only. */
function definitionOf({ identifier }: Reference, { definitions }: Conversion): Definition {
  return definitions.get(identifier) as Definition;
}

/** Omits a mark that shows nothing: around nothing, or inside of its own kind. */
function markOver(type: MarkType, children: readonly Inline[], around: ReadonlySet<MarkType>): readonly Inline[] {
  const shows = children.length > 0 && !around.has(type);
  return shows ? [mark(type, children)] : children;
}

/** HTML elements that are marks: those of guideferry, and equivalents of Markdown's. */
const MARK_TAGS: ReadonlyMap<string, MarkType> = new Map([
  ["u", "underline"],
  ["ins", "underline"],
  ["sub", "subscript"],
  ["sup", "superscript"],
  ["code", "code"],
  ["tt", "code"],
  ["kbd", "code"],
  ["del", "strike"],
  ["s", "strike"],
  ["strike", "strike"],
  ["b", "strong"],
  ["strong", "strong"],
  ["i", "emphasis"],
  ["em", "emphasis"],
]);

interface Tag {
  readonly name: string;
  readonly closes: boolean;
}

const TAG = /^<(\/?)([a-z][a-z\d-]*)/i;

/** undefined for comments, declarations and instructions. */
function readTag(html: string): Tag | undefined {
  const [, slash, name] = TAG.exec(html) ?? [];
  return name === undefined ? undefined : { name: name.toLowerCase(), closes: slash === "/" };
}

/** Deeper elements are not paired, so that the recursion cannot overflow the stack. */
const DEEPEST_TAG = 32;

interface Anchor {
  readonly url: string;
  readonly newWindow: boolean;
}

/** An HTML element that is a mark or a link; `end` is the place of its closing tag. */
interface Element {
  readonly means: MarkType | Anchor;
  readonly end: number;
}

interface Opening {
  readonly name: string;
  readonly start: number;
  readonly means: MarkType | Anchor;
}

/** The known elements of running text by the place of their opening tag: there, tags are nodes. */
function elementsIn(nodes: readonly PhrasingContent[]): ReadonlyMap<number, Element> {
  const elements = new Map<number, Element>();
  const open: Opening[] = [];
  nodes.forEach((node, start) => {
    const tag = node.type === "html" ? readTag(node.value) : undefined;
    if (node.type !== "html" || tag === undefined) return;
    const { name, closes } = tag;
    const means = closes ? undefined : (MARK_TAGS.get(name) ?? anchorOf(name, node.value));
    if (means !== undefined && open.length < DEEPEST_TAG) open.push({ name, start, means });
    const partner = closes ? open.findLastIndex((each) => each.name === name) : -1;
    const [opening] = partner < 0 ? [] : open.splice(partner);
    if (opening !== undefined) elements.set(opening.start, { means: opening.means, end: start });
  });
  return elements;
}

/** undefined: a tag without an address. */
function anchorOf(name: string, html: string): Anchor | undefined {
  const [token] = name === "a" ? readTags(html, new Map()) : [];
  if (token?.type !== "open") return undefined;
  const attributes = new Map(token.attributes.toReversed());
  const url = decodeHtml(attributes.get("href") ?? "").trim();
  return url === "" ? undefined : { url, newWindow: attributes.get("target") === "_blank" };
}

function rawInlines(source: string, context: TextContext): readonly Inline[] {
  if (context === "line") return parse(source, { context }).tree.children;
  return inlinesIn(parse(source, { context: "page" }).tree.children);
}

/** Issues get the place of the whole piece. */
export function blocksOfHtml(node: Html, conversion: Conversion): readonly Block[] {
  const { tree, issues } = fromHtml(node.value, { context: "page" });
  for (const issue of issues) conversion.issues.push({ ...issue, ...placeOf(node) });
  return (tree as Page).children; // What is read as a page is one.
}
