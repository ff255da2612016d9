import type { Element, ElementContent, Properties, RootContent } from "hast";
import type { Key } from "../../../src/core/model/key.js";
import { readOwnAddress } from "../../references/site-addresses.js";
import { link } from "../../wiki/build.js";
import type { MarkType } from "../../wiki/tree.js";
import { DECORATION } from "../from/blocks.js";
import { classesOf, property } from "../from/conversion.js";
import { parseHtml } from "../from/parse-html.js";
import { readTags, SKIPPED } from "../from/tags.js";
import { styleMarks } from "../from/words.js";
import { videoPage } from "../video-service.js";
import { MARK_TAGS } from "../writing.js";
import { linkNodes, linkPlace } from "./link-nodes.js";
import { absentMedium, filmElsewhere, mediumNodes, type Placing, placing } from "./media-nodes.js";
import { LONGEST_FORMATTED } from "./reader-html.js";
import {
  amongWords,
  type ReaderContext,
  type ReaderMedium,
  type ReaderOptions,
  readerContext,
} from "./reader-links.js";
import {
  codeNode,
  node,
  type SafeHtml,
  safeAddress,
  safeHtml,
  saysSomething,
  words,
  wordsIn,
  writtenNode,
} from "./safe-html.js";

/**
 * Converts any HTML, mainly of sites, to HTML for the offline reader: the elements of `readerHtml`
 * and tables. Linear time; a string of more than `LONGEST_FORMATTED` UTF-16 units becomes plain
 * words, with character references undecoded.
 */
export function safeHtmlOf(html: string, options: ReaderOptions): SafeHtml {
  return safeHtml(htmlContent(html, options));
}

/** The nodes of `safeHtmlOf`. */
export function htmlContent(html: string, options: ReaderOptions): readonly ElementContent[] {
  const { inline = false, written = false } = options;
  if (written || html.length > LONGEST_FORMATTED) return [writtenNode(textOutsideOfTags(html))];
  const context = readerContext(options, !inline);
  return [...parseHtml(html).trees].flatMap(({ root }) => htmlNodes(root.children, context));
}

function textOutsideOfTags(html: string): string {
  return readTags(html, SKIPPED)
    .map((token) => (token.type === "text" ? token.value : ""))
    .join("");
}

/** Elements that only begin and end a block, also parts of lists and tables outside of them. */
const SECTIONS = [
  ...["div", "address", "article", "aside", "center", "details", "footer", "header", "main", "nav", "section"],
  ...["figure", "figcaption", "li", "dt", "dd", "caption", "td", "th", "tr"],
];

const HTML_BLOCKS: Readonly<Record<string, HtmlHandler>> = {
  ...Object.fromEntries(SECTIONS.map((name): [string, HtmlHandler] => [name, readSection])),
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level): [string, HtmlHandler] => [`h${level}`, readHeading])),
  p: readParagraph,
  summary: (element, context, read) =>
    block(context, "p", [node("strong", read(element.children, amongWords(context)))], element),
  blockquote: readQuote,
  pre: (element, context, read) =>
    context.blocks ? [codeNode(textOfElement(element))] : surroundedBySpaces(read(element.children, context)),
  hr: (_, { blocks }) => [node(blocks ? "hr" : "br", [])],
};

function readSection(element: Element, context: ReaderContext, read: ReadNodes): readonly ElementContent[] {
  return block(context, "div", read(element.children, context), element);
}

function readParagraph(element: Element, context: ReaderContext, read: ReadNodes): readonly ElementContent[] {
  const content = read(element.children, amongWords(context));
  return content.length === 0 ? [] : block(context, "p", content, element);
}

function block(
  { blocks }: ReaderContext,
  name: string,
  content: readonly ElementContent[],
  element: Element,
): readonly ElementContent[] {
  return blocks ? [node(name, content, tongueOf(element))] : surroundedBySpaces(content);
}

function surroundedBySpaces(content: readonly ElementContent[]): readonly ElementContent[] {
  return [words(" "), ...content, words(" ")];
}

/** Keeps an id of the site, so that links to it stay valid; otherwise makes one of the words. */
function readHeading(element: Element, context: ReaderContext, read: ReadNodes): readonly ElementContent[] {
  const content = read(element.children, amongWords(context));
  if (!context.blocks) return surroundedBySpaces(content);
  if (!saysSomething(content)) return content.length === 0 ? [] : [node("p", content)];
  const own = property(element, "id");
  const name = /^Section_\S*$/.test(own) ? own : `Section_${wordsIn(content).trim().replace(/[\s-]/g, "_")}`;
  const { level, id } = context.outline(Number(element.tagName.slice(1)), name);
  return [node(`h${level}`, content, { id, ...tongueOf(element) })];
}

function readQuote(element: Element, context: ReaderContext, read: ReadNodes): readonly ElementContent[] {
  const content = read(element.children, context);
  if (!context.blocks) return surroundedBySpaces(content);
  const featured = classesOf(element).includes("featured") ? { className: ["featured"] } : {};
  return [node("blockquote", content, { ...featured, ...tongueOf(element) })];
}

function textOfElement({ children }: Element): string {
  const parts = children.map((child) => {
    if (child.type === "text") return child.value;
    if (child.type !== "element") return "";
    return child.tagName === "br" ? "\n" : textOfElement(child);
  });
  return parts.join("");
}

/** Lists contain only items. */
const HTML_LISTS: Readonly<Record<string, HtmlHandler>> = {
  ul: listHandler("ul"),
  menu: listHandler("ul"),
  dir: listHandler("ul"),
  ol: listHandler("ol"),
  dl: readTerms,
};

function listHandler(name: "ul" | "ol"): HtmlHandler {
  return (element, context, read) => {
    if (!context.blocks) return read(element.children, context);
    const items = element.children.flatMap((child): readonly ElementContent[] => {
      const isItem = child.type === "element" && child.tagName === "li";
      const content = read(isItem ? child.children : [child], context);
      if (isItem) return [node("li", content, tongueOf(child))];
      return saysSomething(content) ? [node("li", content)] : [];
    });
    if (items.length === 0) return [];
    return [node(name, items, { ...(name === "ol" ? startOf(element) : {}), ...tongueOf(element) })];
  };
}

function startOf(element: Element): { readonly start?: number } {
  const start = property(element, "start");
  return /^-?\d{1,6}$/.test(start) ? { start: Number(start) } : {};
}

/** Terms and descriptions in this order; otherwise blocks. */
function readTerms(element: Element, context: ReaderContext, read: ReadNodes): readonly ElementContent[] {
  const parts = element.children.filter(
    (child) => child.type === "element" || saysSomething([child as ElementContent]),
  );
  const names = parts.map((child) => (child.type === "element" ? child.tagName : ""));
  const isOrdered = names[0] === "dt" && names.at(-1) === "dd" && names.every((name) => name === "dt" || name === "dd");
  if (!context.blocks || !isOrdered) return read(element.children, context);
  const pairs = parts.flatMap((child) =>
    child.type === "element" ? [node(child.tagName, read(child.children, context), tongueOf(child))] : [],
  );
  return [node("dl", pairs, tongueOf(element))];
}

/** The parser leaves only spaces between the parts of a table. */
const HTML_TABLES: Readonly<Record<string, HtmlHandler>> = {
  table: readTable,
};

const GROUPS: ReadonlySet<string> = new Set(["thead", "tbody", "tfoot"]);

/** A wide table scrolls sideways in its own box, which needs keyboard focus. */
function readTable(element: Element, context: ReaderContext, read: ReadNodes): readonly ElementContent[] {
  if (!context.blocks) return read(element.children, context);
  const parts = elementsIn(element);
  const caption = parts.find(({ tagName }) => tagName === "caption");
  const groups = parts
    .filter(({ tagName }) => GROUPS.has(tagName))
    .flatMap((group) => {
      const rows = rowsIn(group, context, read);
      return rows.length === 0 ? [] : [node(group.tagName, rows)];
    });
  const head = caption === undefined ? [] : [node("caption", read(caption.children, context), tongueOf(caption))];
  if (groups.length === 0) return caption === undefined ? [] : [node("div", read(caption.children, context))];
  const table = node("table", [...head, ...groups], tongueOf(element));
  return [node("div", [table], { className: ["wide"], role: "group", ariaLabel: "Table", tabIndex: 0 })];
}

function rowsIn(group: Element, context: ReaderContext, read: ReadNodes): readonly ElementContent[] {
  return elementsIn(group)
    .filter(({ tagName }) => tagName === "tr")
    .map((row) => elementsIn(row).flatMap((cell) => cellNodes(cell, context, read)))
    .filter((cells) => cells.length > 0)
    .map((cells) => node("tr", cells));
}

function cellNodes(cell: Element, context: ReaderContext, read: ReadNodes): readonly ElementContent[] {
  if (cell.tagName !== "td" && cell.tagName !== "th") return [];
  const content = read(cell.children, context);
  const name = cell.tagName === "th" && saysSomething(content) ? "th" : "td";
  return [node(name, content, { ...spanOf(cell, "colSpan"), ...spanOf(cell, "rowSpan"), ...tongueOf(cell) })];
}

/** Bounded, since larger spans only cost time in the browser. */
function spanOf(cell: Element, name: "colSpan" | "rowSpan"): { readonly colSpan?: number; readonly rowSpan?: number } {
  const count = Number(property(cell, name));
  return Number.isInteger(count) && count > 1 ? { [name]: Math.min(count, 999) } : {};
}

function elementsIn({ children }: Element): readonly Element[] {
  return children.filter((child): child is Element => child.type === "element");
}

const HTML_MEDIA: Readonly<Record<string, HtmlHandler>> = {
  img: (element, context) => pictureNodes(element, context, [], undefined),
  video: readVideo,
  source: () => [],
  iframe: (element, context) => filmAt(property(element, "src"), context),
  "lite-youtube": readYoutube,
};

/** The site's boxes by their class (wiki-syntax 2.4 and 3.4). */
const HTML_BOXES: Readonly<Record<string, HtmlHandler>> = {
  imageBox: readImageBox,
  "youtube-player": readYoutube,
};

const SIZES: readonly string[] = ["mini", "thumbnail", "medium", "large"];

function pictureNodes(
  element: Element,
  context: ReaderContext,
  places: Placing,
  caption: string | undefined,
): readonly ElementContent[] {
  const address = property(element, "src").trim();
  const alt = property(element, "alt").trim();
  const id = property(element, "dataImageid");
  const medium = mediumOf(/^\d{1,15}$/.test(id) ? `image/${Number(id)}` : undefined, address, context);
  if (medium === undefined) return absentMedium(alt === "" ? "picture" : alt, webAddress(address, context), context);
  const size = SIZES.find((each) => classesOf(element).includes(each) || address.endsWith(`.${each}`));
  const shown = { ...medium, ...(alt === "" ? {} : { title: alt }), ...(caption === undefined ? {} : { caption }) };
  return mediumNodes(shown, [...places, ...placing(undefined, size)], context);
}

/** A picture with its caption below, which is words (style sheets of the vendor). */
function readImageBox(element: Element, context: ReaderContext, read: ReadNodes): readonly ElementContent[] {
  const within = descendants(element);
  const images = within.filter(({ tagName }) => tagName === "img");
  const [image] = images;
  if (image === undefined || images.length > 1) return read(element.children, context);
  const align = classesOf(element).find((name) => name.startsWith("imageBox_")) ?? "imageBox_left";
  const below = within.filter(({ tagName }) => tagName === "p").map(({ children }) => wordsIn(children).trim());
  const caption = below.join(" ").trim();
  const places = placing(align.slice("imageBox_".length), undefined);
  return pictureNodes(image, context, places, caption === "" ? undefined : caption);
}

function descendants({ children }: Element): readonly Element[] {
  return children.flatMap((child) => (child.type === "element" ? [child, ...descendants(child)] : []));
}

function readYoutube(element: Element, context: ReaderContext): readonly ElementContent[] {
  const id = property(element, "videoid");
  const known = /^[\w-]{1,64}$/.test(id);
  return filmAt(known ? videoPage({ service: "youtube", id }) : property(element, "src"), context);
}

/** A video of the site has an id, or its file's address contains it. */
function readVideo(element: Element, context: ReaderContext): readonly ElementContent[] {
  const sources = [element, ...descendants(element)].map((each) => property(each, "src").trim());
  const source = sources.find((each) => each !== "") ?? "";
  const id = property(element, "dataVideoid");
  const medium = mediumOf(/^\d{1,15}$/.test(id) ? `video/${Number(id)}` : undefined, source, context);
  return medium === undefined ? filmAt(source, context) : mediumNodes(medium, [], context);
}

/** Without an address the site shows nothing either. */
function filmAt(address: string, context: ReaderContext): readonly ElementContent[] {
  return address.trim() === "" ? [] : filmElsewhere(address.trim(), context);
}

function mediumOf(id: Key | undefined, address: string, { links }: ReaderContext): ReaderMedium | undefined {
  const keys = [id, links.mediaKey?.(address), readOwnAddress(address, 0, links.site)?.key];
  for (const key of keys) {
    const medium = key === undefined || key === null ? undefined : links.medium(key);
    if (medium !== undefined) return medium;
  }
  return undefined;
}

function webAddress(address: string, { links }: ReaderContext): string | undefined {
  const found = safeAddress(address, links.site.origin);
  return found !== undefined && /^https?:/.test(found) ? found : undefined;
}

/** Current names of mark elements. */
const MARKS: Readonly<Record<string, string>> = {
  ...{
    strong: "strong",
    b: "strong",
    em: "em",
    i: "em",
    cite: "em",
    dfn: "em",
    var: "em",
    u: "u",
    s: "s",
    strike: "s",
  },
  ...{ ins: "ins", del: "del", sup: "sup", sub: "sub", code: "code", tt: "code", kbd: "kbd", samp: "samp" },
  ...{ small: "small", mark: "mark", q: "q" },
};

const HTML_WORDS: Readonly<Record<string, HtmlHandler>> = {
  ...Object.fromEntries(Object.entries(MARKS).map(([name, tag]) => [name, markHandler(tag)])),
  span: readSpan,
  font: readSpan,
  abbr: (element, context, read) => {
    const title = property(element, "title").trim();
    return [node("abbr", read(element.children, context), title === "" ? {} : { title })];
  },
  a: readLink,
  br: () => [node("br", [])],
  wbr: () => [node("wbr", [])],
};

function markHandler(tag: string): HtmlHandler {
  return (element, context, read) => {
    const content = read(element.children, context);
    return content.length === 0 ? [] : [node(tag, content, tongueOf(element))];
  };
}

/** Many editors write styles instead of elements. */
function readSpan(element: Element, context: ReaderContext, read: Parameters<HtmlHandler>[2]): ElementContent[] {
  const style = styleMarks(property(element, "style"));
  const tags = Object.entries(MARK_TAGS).flatMap(([type, tag]) => (style.get(type as MarkType) === true ? [tag] : []));
  const content = read(element.children, context);
  const tongue = tongueOf(element);
  const spoken = Object.keys(tongue).length === 0 ? content : [node("span", content, tongue)];
  return [...tags.reduceRight<readonly ElementContent[]>((inner, tag) => [node(tag, inner)], spoken)];
}

/** A link without an address names a place in the page, or means nothing. */
function readLink(element: Element, context: ReaderContext, read: Parameters<HtmlHandler>[2]): ElementContent[] {
  const href = property(element, "href").trim();
  if (href === "" || context.inLink) return [...read(element.children, context)];
  const content = read(element.children, { ...context, inLink: true });
  const key = context.links.mediaKey?.(href);
  const medium = key === undefined ? undefined : context.links.medium(key);
  const place = medium === undefined ? linkPlace(link("url", href), context) : { type: "medium" as const, medium };
  return [...linkNodes(place, content)];
}

/** An element without a handler becomes its content. */
function htmlNodes(nodes: readonly RootContent[], context: ReaderContext): readonly ElementContent[] {
  return nodes.flatMap((each): readonly ElementContent[] => {
    if (each.type === "text") return [words(each.value)];
    if (each.type !== "element") return [];
    const classes = classesOf(each);
    if (classes.some((name) => DECORATION.has(name))) return [];
    const box = BOXES.get(classes.find((name) => BOXES.has(name)) ?? "");
    const handle = box ?? HANDLERS.get(each.tagName);
    return handle === undefined ? htmlNodes(each.children, context) : handle(each, context, htmlNodes);
  });
}

const HANDLERS: ReadonlyMap<string, HtmlHandler> = new Map(
  Object.entries({ ...HTML_BLOCKS, ...HTML_LISTS, ...HTML_TABLES, ...HTML_MEDIA, ...HTML_WORDS }),
);

const BOXES: ReadonlyMap<string, HtmlHandler> = new Map(Object.entries(HTML_BOXES));

type ReadNodes = (nodes: readonly RootContent[], context: ReaderContext) => readonly ElementContent[];

/** `read` converts the content of the element. */
type HtmlHandler = (element: Element, context: ReaderContext, read: ReadNodes) => readonly ElementContent[];

const LANGUAGE = /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i;

function tongueOf(element: Element): Properties {
  const lang = property(element, "lang");
  const dir = property(element, "dir").toLowerCase();
  return {
    ...(LANGUAGE.test(lang) ? { lang } : {}),
    ...(dir === "rtl" || dir === "ltr" || dir === "auto" ? { dir } : {}),
  };
}
