import type { Element } from "hast";
import { codeBlock, embed, heading, paragraph, quote } from "../../wiki/build.js";
import { lineBreak, text } from "../../wiki/build-inlines.js";
import type { Block, HeadingLevel } from "../../wiki/tree.js";
import { finishWords } from "./finish-words.js";
import { oneLine } from "./flatten.js";
import { gather } from "./gather.js";
import { type Attribution, type Item, isInline, isMedium } from "./item.js";
import { markInlines } from "./mark-handlers.js";
import { classesOf, type Handler, type Reading } from "./reading.js";

/** Elements that only say that a block begins and ends. */
const SECTIONS = ["p", "div", "address", "article", "aside", "center", "details", "figure", "figcaption", "header"];
const MORE_SECTIONS = ["main", "nav", "section", "dl", "dd", "caption"];

/** Blocks of words. */
export const BLOCK_HANDLERS: Readonly<Record<string, Handler>> = {
  ...Object.fromEntries([...SECTIONS, ...MORE_SECTIONS].map((name): [string, Handler] => [name, readSection])),
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level): [string, Handler] => [`h${level}`, readHeading])),
  summary: (element, content, reading) => [paragraph(markInlines("strong", oneLine(content, element, reading)))],
  footer: readAttribution,
  blockquote: readQuote,
  pre: readCode,
  br: () => [lineBreak()],
  hr: (element, _, reading) => {
    reading.report("rule-dropped", "loss", "A line across the page has no form in wiki text.", element);
    return [paragraph([])];
  },
};

/** Blocks of the site's HTML by class. */
export const BLOCK_CLASSES: Readonly<Record<string, Handler>> = {
  quoted: readAttribution,
};

/** Class names of what the site adds around a text: links to sections, buttons, the table of contents (wiki-syntax 2.1.1, 8.4). */
export const DECORATION: ReadonlySet<string> = new Set([
  ...["anchor", "selfLink", "editLink", "headerLink", "imageMenu", "clearer", "toc"],
]);

/** Words become paragraphs here; parts that wait for an element further out go on. */
function readSection(_: Element, content: readonly Item[]): readonly Item[] {
  // Blocks are gathered once, not in each of the sections that they stand in.
  if (content.every(isFinished) || content.some((item) => WAITING.has(item.type))) return content;
  return gather(content);
}

function isFinished(item: Item): boolean {
  if (item.type === "paragraph") return item.children.length > 0;
  return item.type !== "listItem" && !WAITING.has(item.type) && !isInline(item);
}

const WAITING: ReadonlySet<Item["type"]> = new Set<Item["type"]>(["listItem", "cell", "row", "attribution"]);

/** A heading is one line of words; pictures in it come behind it. */
function readHeading(element: Element, content: readonly Item[], reading: Reading): readonly Item[] {
  const line = oneLine(content, element, reading);
  // A line end behind them, so that blanks before a picture that goes are not kept at the end.
  const words = finishWords([...line.filter((word) => !isMedium(word)), text("\n")]);
  const level = Number(element.tagName.slice(1)) as HeadingLevel;
  return [...(words.length > 0 ? [heading(level, words)] : []), ...line.filter(isMedium).map((each) => embed(each))];
}

function readAttribution(element: Element, content: readonly Item[], reading: Reading): readonly Item[] {
  return [{ type: "attribution", children: oneLine(content, element, reading) }];
}

/** Quotations do not nest: the words of one in another are part of it. */
function readQuote(element: Element, content: readonly Item[], reading: Reading): readonly Item[] {
  const said = content.findLast((item): item is Attribution => item.type === "attribution");
  const blocks = gather(content.filter((item) => item !== said)).flatMap((block) => unquoted(block, element, reading));
  if (blocks.length === 0 && said === undefined) return [];
  const attribution = said === undefined ? {} : { attribution: said.children };
  return [quote(blocks, { ...attribution, format: classesOf(element).includes("featured") ? "featured" : "long" })];
}

function unquoted(block: Block, element: Element, reading: Reading): readonly Block[] {
  if (block.type !== "quote") return [block];
  reading.report("nested-quote", "loss", "A quotation in a quotation is part of the outer one.", element);
  return [...block.children, ...(block.attribution.length > 0 ? [paragraph(block.attribution)] : [])];
}

/**
 * Code is kept to the letter. Only of `<pre><code>` one line end goes at the end: printers of Markdown write it, and so does
 * `toPlainHtml` behind code that ends in one.
 */
function readCode(element: Element): readonly Item[] {
  const [only, ...others] = element.children;
  const isCode = others.length === 0 && only?.type === "element" && only.tagName === "code";
  const value = isCode ? textIn(element).replace(/\n$/, "") : textIn(element);
  return value === "" ? [] : [codeBlock(value)];
}

function textIn({ children }: Element): string {
  const parts = children.map((child) => {
    if (child.type !== "element") return child.value;
    return child.tagName === "br" ? "\n" : textIn(child);
  });
  return parts.join("");
}
