import type {
  Definition,
  Html,
  ImageReference,
  LinkReference,
  Image as MarkdownImage,
  Link as MarkdownLink,
  PhrasingContent,
  Reference,
  Text,
} from "mdast";
import { decodeHtml, readTags } from "../html/from/tags.js";
import { fromHtml } from "../html/from-html.js";
import { guideList, image, type LinkOptions, lineBreak, link, mark, text, video } from "../wiki/build.js";
import { addressLink, inlinesIn, type Tell, writableAddress } from "../wiki/draft.js";
import { parse } from "../wiki/parse.js";
import type { Block, Inline, Link, LinkKind, MarkType, Page, TextContext } from "../wiki/tree.js";
import { ALTERNATIVES, DIVIDER, FIELD, type Media, NEW_WINDOW, RAW_INLINE } from "./conventions.js";
import { type Conversion, footnoteNumber, placeOf, tellAt } from "./conversion.js";

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
  const node: MarkdownLink = {
    type: "link",
    url,
    title,
    children,
    ...(tag?.position ? { position: tag.position } : {}),
  };
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

interface Resource {
  readonly url: string;
  readonly title?: string | null | undefined;
}

/** `label`: its converted children, which stay if the link cannot be written. */
function readLink(
  node: MarkdownLink | LinkReference,
  { url, title }: Resource,
  label: readonly Inline[],
  conversion: Conversion,
): readonly Inline[] {
  const tell = tellAt(conversion, node);
  const newWindow = title === NEW_WINDOW;
  if (!newWindow && title)
    tell("link-title", "loss", `Wiki text does not have titles of links. "${title}" is left out.`);
  const overMacro = !label.every(isLabel);
  const made = makeLink(url, overMacro || isDefault(node, url) ? [] : label, newWindow);
  if (made === undefined) {
    tell("link-address", "loss", `A link cannot have the address ${JSON.stringify(url)}. Its text is kept.`);
    return label;
  }
  if (!overMacro) return [made.kind === "url" && isBare(node, url, newWindow) ? link("bare", made.target) : made];
  tell("link-over-macro", "loss", `In wiki text an image or a macro cannot be a link. The link to ${url} follows it.`);
  return [...label, text(" "), made];
}

/** A link by reference or address; an address without its own form is its label. */
function makeLink(url: string, label: readonly Inline[], newWindow: boolean): Link | undefined {
  const reference = readReference(url, { label, newWindow });
  const address = reference === undefined ? writableAddress(url) : undefined;
  if (address === undefined) return reference;
  const made = addressLink(address, label, newWindow);
  return made.kind === "url" && label.length === 0 ? addressLink(address, [text(address)], newWindow) : made;
}

/** Whether the label repeats the address, as in Markdown for a link without a label. */
function isDefault(node: MarkdownLink | LinkReference, url: string): boolean {
  const [only] = node.children;
  if (node.children.length !== 1 || only?.type !== "text") return false;
  return only.value === url || `mailto:${only.value}` === url;
}

/** Whether the Markdown of a link is only its address. */
function isBare(node: MarkdownLink | LinkReference, url: string, newWindow: boolean): boolean {
  return /^https?:/i.test(url) && !newWindow && node.type === "link" && isDefault(node, url);
}

const LABEL_TYPES: ReadonlySet<Inline["type"]> = new Set(["text", "opaque", "break"]);

/** Macros cannot be in a label. */
function isLabel(inline: Inline): boolean {
  if (inline.type === "link") return false;
  return "children" in inline ? inline.children.every(isLabel) : LABEL_TYPES.has(inline.type);
}

/** Addresses of references of the wiki syntax: the target, and a step. */
const REFERENCES: readonly (readonly [LinkKind, RegExp])[] = [
  ["guide", /^guide:(\d+)(?:\?stepid=(\d+))?$/i],
  ["document", /^document:(\d+)$/i],
  ["product", /^product:([^\s[\]|][^[\]|\n]*)$/i],
  ["wiki", /^wiki:([^\s[\]|][^[\]|\n]*)$/i],
];

/** undefined: another address. */
function readReference(url: string, options: LinkOptions): Link | undefined {
  for (const [kind, pattern] of REFERENCES) {
    const [, target, stepId] = pattern.exec(url) ?? [];
    if (target !== undefined) return link(kind, target, stepId === undefined ? options : { ...options, stepId });
  }
  return undefined;
}

/** An image, video or list of guides by its reference; an image by its address becomes a link. */
function readImage(
  node: MarkdownImage | ImageReference,
  { url, title }: Resource,
  conversion: Conversion,
): readonly Inline[] {
  const tell = tellAt(conversion, node);
  const fields = title ? title.split("|") : [];
  const fit = fields.every((field) => FIELD.test(field));
  const media = readMedia(url, fit ? Object.fromEntries(fields.map(nameAndValue)) : {});
  if (media === undefined) return imageLink(url, node.alt, tell);
  if (!fit) tell("image-title", "loss", `Wiki text does not have titles of images. "${title}" is left out.`);
  if (node.alt !== ALTERNATIVES[media.type]) {
    tell("image-text", "loss", `Wiki text does not have alternative texts of images. "${node.alt}" is left out.`);
  }
  return [media];
}

type Values = Readonly<Record<string, string>>;

const MEDIA: readonly (readonly [RegExp, (target: string, values: Values) => Media])[] = [
  [/^image:(\d+)$/i, image],
  [/^video:([^\s[\]|][^[\]|\n]*)$/i, video],
  [/^guidelist:()$/i, (_, values) => guideList(values)],
];

function readMedia(url: string, values: Values): Media | undefined {
  for (const [pattern, build] of MEDIA) {
    const target = pattern.exec(url)?.[1];
    if (target !== undefined) return build(target, values);
  }
  return undefined;
}

function nameAndValue(field: string): readonly [string, string] {
  const equals = field.indexOf("=");
  return [field.slice(0, equals), field.slice(equals + 1)];
}

/** The site identifies images only by id. */
function imageLink(url: string, words: string | null | undefined, tell: Tell): readonly Inline[] {
  const address = writableAddress(url);
  if (address === undefined) {
    tell("image-address", "loss", `An image cannot have the address ${JSON.stringify(url)}. Its words are kept.`);
    return words ? [text(words)] : [];
  }
  tell("image-address", "loss", `Wiki text can show only images of the site. The image becomes a link to ${address}.`);
  return [addressLink(address, [text(words || address)], false)];
}
