import type { Element, ElementContent, RootContent } from "hast";
import { parseHtml } from "../../html/from/parse-html.js";
import type { TextContext } from "../../wiki/tree.js";
import { escapeText, type Finding, holdable, printAttributes, type ReportFinding } from "./print-element.js";

interface SimplifyOptions {
  /** `line`: a step's line, which holds inline content only. */
  readonly context: TextContext;
  /** Path in the model. */
  readonly path: string;
}

/** HTML of oManual 1.0 (omanual 4). Total and idempotent; reports each kind of reduction once. */
export function simplify(html: string, { context, path }: SimplifyOptions, report: ReportFinding): string {
  const text = holdable(html, path, report);
  if (!/[<&]/.test(text)) return escapeText(text.trim());
  const same = alreadySimple(text, context);
  if (same !== undefined) return same;
  const counts = new Map<Reduction, number>();
  const reduce = (code: Reduction) => void counts.set(code, (counts.get(code) ?? 0) + 1);
  const { trees, skippedTags } = parseHtml(text);
  const pieces = [...trees].flatMap(({ root }) => simplifyAll(root.children, reduce));
  for (const _ of skippedTags) reduce("other-element");
  const written = context === "line" ? withoutBlocks(pieces, reduce) : pieces;
  for (const [code, count] of counts) report(reductionFinding(code, count, path));
  // Character references may decode to characters that XML can't hold.
  return holdable(printSimple(written).trim(), path, report);
}

function simplifyAll(
  nodes: readonly (RootContent | ElementContent)[],
  reduce: (code: Reduction) => void,
): readonly Simple[] {
  return nodes.flatMap((node): readonly Simple[] => {
    if (node.type === "text") return [node.value];
    return node.type === "element" ? simplifyElement(node, reduce) : [];
  });
}

function simplifyElement(element: Element, reduce: (code: Reduction) => void): readonly Simple[] {
  const children = simplifyAll(element.children, reduce);
  const handle = HANDLERS[element.tagName];
  if (handle !== undefined) return handle(element, children, reduce);
  if (SIMPLE_ELEMENTS.has(element.tagName)) return [simple(element.tagName, children, attributesOf(element))];
  reduce("other-element");
  return children;
}

/** Separates the text of neighbouring blocks by a blank. A single block in a line is no loss. */
function withoutBlocks(pieces: readonly Simple[], reduce: (code: Reduction) => void): readonly Simple[] {
  const shown = pieces.filter((piece) => typeof piece !== "string" || piece.trim() !== "");
  const [only] = shown;
  if (shown.length === 1 && only !== undefined && typeof only !== "string" && only.name === "p")
    return withoutBlocks(only.children, reduce);
  return pieces.flatMap((piece, index): readonly Simple[] => {
    if (typeof piece === "string") return [piece];
    const children = withoutBlocks(piece.children, reduce);
    if (!BLOCKS.has(piece.name)) return [{ ...piece, children }];
    reduce("line-blocks");
    return index === 0 ? children : [" ", ...children];
  });
}

const TOKEN =
  /<(?<end>\/?)(?<name>[a-z][a-z0-9]*)(?<attributes>(?: [a-z]+="[^"<>]*")*)(?<empty>\/?)>|(?<words>[^<>]+)/gy;
const WORDS = /^(?:[^&\r]|&(?:amp|lt|gt|#13);)*$/;
const VALUE = /^(?:[^&\r\n\t]|&(?:amp|lt|gt|quot|#13|#10|#9);)*$/;

/** HTML has no end tag for it, XML needs one. */
const OPEN_BREAK = /<br((?: [a-z]+="[^"<>]*")*)>/g;

/** Open elements; the HTML parser goes no deeper. */
const DEEPEST = 100;

/** undefined: not simplified yet. Written texts stay equal and are parsed once. */
function alreadySimple(html: string, context: TextContext): string | undefined {
  if (html.trim() !== html) return undefined;
  const open: string[] = [];
  let at = 0;
  for (const match of html.matchAll(TOKEN)) {
    if (match.index !== at || !fits(match.groups ?? {}, open, context)) return undefined;
    at += match[0].length;
  }
  return at === html.length && open.length === 0 ? html.replace(OPEN_BREAK, "<br$1/>") : undefined;
}

function fits(token: Readonly<Record<string, string | undefined>>, open: string[], context: TextContext): boolean {
  const { name, words = "", end, attributes = "", empty } = token;
  if (name === undefined) return WORDS.test(words);
  if (end === "/") return attributes === "" && empty === "" && open.pop() === name;
  if (!SIMPLE_ELEMENTS.has(name) || (context === "line" && BLOCKS.has(name)) || !areSimple(attributes, name))
    return false;
  if (name === "br") return true;
  open.push(name);
  return empty === "" && open.length <= DEEPEST;
}

function areSimple(attributes: string, element: string): boolean {
  const places = [...attributes.matchAll(/ ([a-z]+)="([^"]*)"/g)].map(([, name = "", value = ""]) => {
    const isWritable =
      VALUE.test(value) && value !== "" && (name !== "href" || (element === "a" && mayBeFollowed(value)));
    return isWritable ? SIMPLE_ATTRIBUTES.indexOf(name) : -1;
  });
  return places.every((place, index) => place > (places[index - 1] ?? -1));
}

type Handler = (element: Element, children: readonly Simple[], reduce: (code: Reduction) => void) => readonly Simple[];

/** Elements outside of the format, and links. `tag` handlers keep the meaning as wiki text. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  ...each(["b"], tag("strong")),
  ...each(["i", "cite", "dfn", "var"], tag("em")),
  ...each(["u"], tag("ins")),
  ...each(["s", "strike"], tag("del")),
  ...each(["kbd", "samp"], tag("code")),
  ...each(["section", "article", "aside", "header", "main", "nav", "address", "details", "center"], tag("div")),
  ...each(["footer", "figcaption"], tag("p")),
  ...each(
    ["span", "font", "abbr", "small", "big", "mark", "wbr", "source", "col", "colgroup"],
    (_, children) => children,
  ),
  ...each(["tbody", "thead", "tfoot"], (_, children) => children),
  figure: tag("div"),
  a: readLink,
  ol: readNumbered,
  ...each(["menu", "dir"], tag("ul")),
  blockquote: reduced("quote", (_, children) => [simple("div", children)]),
  table: reduced("table", readTable),
  tr: readRow,
  ...each(["td", "th"], (_, children) => [simple("div", children, CELL)]),
  caption: tag("p"),
  dl: reduced("term-list", (_, children) => [simple("ul", children.filter(isElement))]),
  dt: (_, children) => [simple("li", [simple("strong", children)])],
  dd: tag("li"),
  summary: (_, children) => [simple("p", [simple("strong", children)])],
  img: reduced("text-image", (element) =>
    linkTo(textOf(element.properties["src"]), textOf(element.properties["alt"]) || "image"),
  ),
  ...each(["iframe", "video", "lite-youtube"], reduced("text-video", readFrame)),
  hr: reduced("rule", () => []),
};

function each(names: readonly string[], handler: Handler): Readonly<Record<string, Handler>> {
  return Object.fromEntries(names.map((name) => [name, handler]));
}

function tag(name: string): Handler {
  return (element, children) => [simple(name, children, attributesOf(element))];
}

function reduced(code: Reduction, handler: Handler): Handler {
  return (element, children, reduce) => {
    reduce(code);
    return handler(element, children, reduce);
  };
}

function isElement(piece: Simple): piece is SimpleElement {
  return typeof piece !== "string";
}

/** A link without an address is an anchor. */
function readLink(element: Element, children: readonly Simple[], reduce: (code: Reduction) => void): readonly Simple[] {
  const attributes = attributesOf(element);
  const { href } = attributes;
  if (href === undefined || mayBeFollowed(href)) return [simple("a", children, attributes)];
  reduce("unsafe-link");
  return children;
}

function readNumbered(
  element: Element,
  children: readonly Simple[],
  reduce: (code: Reduction) => void,
): readonly Simple[] {
  reduce("numbered-list");
  const { start } = element.properties;
  let number = typeof start === "number" ? start : 1;
  const items = children.map((child) => {
    if (!isElement(child) || child.name !== "li") return child;
    const numbered = simple("li", [`${number}. `, ...child.children], child.attributes);
    number += 1;
    return numbered;
  });
  return [simple("ul", items)];
}

/** Rows recognise it by identity; a cell outside of rows becomes a section. */
const CELL = { class: "cell" };

function readRow(_: Element, children: readonly Simple[]): readonly Simple[] {
  const cells = children
    .filter(isElement)
    .filter((child) => child.attributes === CELL && wordsOf(child.children).trim() !== "");
  const words = cells.flatMap((cell, index) => (index === 0 ? cell.children : [" | ", ...cell.children]));
  return words.length === 0 ? [] : [simple("li", words)];
}

/** Content outside of rows comes first. */
function readTable(_: Element, children: readonly Simple[]): readonly Simple[] {
  const [rows, others] = [true, false].map((wanted) =>
    children.filter(isElement).filter((child) => (child.name === "li") === wanted),
  );
  return [...(others ?? []), ...(rows === undefined || rows.length === 0 ? [] : [simple("ul", rows)])];
}

function readFrame(element: Element): readonly Simple[] {
  const sources = element.children.map((child) => (child.type === "element" ? textOf(child.properties["src"]) : ""));
  const address = textOf(element.properties["src"]) || (sources.find((source) => source !== "") ?? "");
  return linkTo(address, address);
}

function linkTo(address: string, words: string): readonly Simple[] {
  if (address === "" || !mayBeFollowed(address)) return words === "" ? [] : [words];
  return [simple("a", [words], { href: address })];
}

function attributesOf(element: Element): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of SIMPLE_ATTRIBUTES) {
    const value = textOf(element.properties[name === "class" ? "className" : name]);
    if (value !== "" && (name !== "href" || element.tagName === "a")) found[name] = value;
  }
  return found;
}

function textOf(value: Element["properties"][string]): string {
  if (Array.isArray(value)) return value.join(" ");
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** Allows web, mail and relative addresses, no scripts. */
function mayBeFollowed(address: string): boolean {
  return /^(?:https?:|ftps?:|mailto:)/i.test(address) || !/^[^/?#]*:/.test(address);
}

/** Content without a form in simplified HTML, and its replacement (omanual 4 and 9). */
export const REDUCTIONS = {
  "numbered-list": { level: "loss", what: "numbered lists", becomes: "bullets that begin with the numbers" },
  quote: { level: "loss", what: "quotations", becomes: "sections" },
  table: { level: "loss", what: "tables", becomes: "lists with one item for each row" },
  "term-list": { level: "loss", what: "lists of terms", becomes: "bullets with the terms in bold" },
  "text-image": { level: "loss", what: "images in text", becomes: "links" },
  "text-video": { level: "loss", what: "videos and frames in text", becomes: "links" },
  rule: { level: "loss", what: "horizontal rules", becomes: "nothing" },
  "unsafe-link": { level: "loss", what: "links with an unsafe address", becomes: "their labels" },
  "line-blocks": { level: "loss", what: "blocks in a step line", becomes: "their words" },
  "other-element": { level: "loss", what: "other elements", becomes: "their words" },
} as const satisfies Readonly<Record<string, { level: Finding["level"]; what: string; becomes: string }>>;

type Reduction = keyof typeof REDUCTIONS;

function reductionFinding(code: Reduction, count: number, path: string): Finding {
  const { level, what, becomes } = REDUCTIONS[code];
  const message = `oManual 1.0 does not have ${what} (${count} here). ${becomes === "nothing" ? "They are left out" : `They become ${becomes}`}.`;
  return { code, level, path, message };
}

type Simple = string | SimpleElement;

interface SimpleElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Simple[];
}

/** Elements of oManual 1.0; each may contain all (omanual 4). */
const SIMPLE_ELEMENTS: ReadonlySet<string> = new Set([
  ...["p", "a", "strong", "em", "h1", "h2", "h3", "h4", "h5", "h6", "tt", "pre", "code"],
  ...["br", "ul", "li", "sub", "sup", "del", "ins", "div"],
]);

const BLOCKS: ReadonlySet<string> = new Set(["p", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "ul", "li", "div"]);

/** In the order of writing. */
const SIMPLE_ATTRIBUTES: readonly string[] = ["id", "class", "href", "style", "rel", "title", "target"];

function simple(name: string, children: readonly Simple[], attributes = NO_ATTRIBUTES): SimpleElement {
  return { name, attributes, children };
}

const NO_ATTRIBUTES: SimpleElement["attributes"] = {};

/** Simplified HTML as XML that HTML parsers read too: only `br` has no end tag. */
function printSimple(pieces: readonly Simple[]): string {
  return pieces.map((piece) => (typeof piece === "string" ? escapeText(piece) : printSimpleElement(piece))).join("");
}

function printSimpleElement({ name, attributes, children }: SimpleElement): string {
  const start = `<${name}${printAttributes(attributes)}`;
  return name === "br" && children.length === 0 ? `${start}/>` : `${start}>${printSimple(children)}</${name}>`;
}

function wordsOf(pieces: readonly Simple[]): string {
  return pieces.map((piece) => (typeof piece === "string" ? piece : wordsOf(piece.children))).join("");
}
