import type { Element } from "hast";
import { codeBlock, embed, heading, lineBreak, list, listItem, paragraph, quote, text } from "../../wiki/build.js";
import { isMedium } from "../../wiki/leaves.js";
import type { Block, HeadingLevel, Inline, List, ListItem } from "../../wiki/tree.js";
import {
  type Attribution,
  type Cell,
  type Conversion,
  classesOf,
  type Handler,
  type Item,
  isInline,
  type Row,
} from "./conversion.js";
import {
  BREAK,
  finishWords,
  flatten,
  gather,
  markInlines,
  oneLine,
  showsSomething,
  tellOf,
  wordsOfRow,
} from "./words.js";

/** Elements that only begin and end a block. */
const SECTIONS = ["p", "div", "address", "article", "aside", "center", "details", "figure", "figcaption", "header"];
const MORE_SECTIONS = ["main", "nav", "section", "dl", "dd", "caption"];

export const BLOCK_HANDLERS: Readonly<Record<string, Handler>> = {
  ...Object.fromEntries([...SECTIONS, ...MORE_SECTIONS].map((name): [string, Handler] => [name, readSection])),
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level): [string, Handler] => [`h${level}`, readHeading])),
  summary: (element, content, conversion) => [paragraph(markInlines("strong", oneLine(content, element, conversion)))],
  footer: readAttribution,
  blockquote: readQuote,
  pre: readCode,
  br: () => [lineBreak()],
  hr: (element, _, conversion) => {
    conversion.report("rule-dropped", "loss", "Wiki text does not have horizontal rules.", element);
    return [paragraph([])];
  },
};

/** Blocks of the site's HTML by class. */
export const BLOCK_CLASSES: Readonly<Record<string, Handler>> = {
  quoted: readAttribution,
};

/** Additions: section links, buttons, the table of contents (wiki-syntax 2.1.1, 8.4). */
export const DECORATION: ReadonlySet<string> = new Set([
  ...["anchor", "selfLink", "editLink", "headerLink", "imageMenu", "clearer", "toc"],
]);

/** Words become paragraphs; parts that wait for an outer element stay. */
function readSection(_: Element, content: readonly Item[]): readonly Item[] {
  // Gathers blocks once, not again in each outer section.
  if (content.every(isFinished) || content.some((item) => WAITING.has(item.type))) return content;
  return gather(content);
}

function isFinished(item: Item): boolean {
  if (item.type === "paragraph") return item.children.length > 0;
  return item.type !== "listItem" && !WAITING.has(item.type) && !isInline(item);
}

const WAITING: ReadonlySet<Item["type"]> = new Set<Item["type"]>(["listItem", "cell", "row", "attribution"]);

/** A heading is one line of words; its pictures follow it. */
function readHeading(element: Element, content: readonly Item[], conversion: Conversion): readonly Item[] {
  const line = oneLine(content, element, conversion);
  // The line end drops spaces before a removed picture.
  const words = finishWords([...line.filter((word) => !isMedium(word)), text("\n")]);
  const level = Number(element.tagName.slice(1)) as HeadingLevel;
  return [...(words.length > 0 ? [heading(level, words)] : []), ...line.filter(isMedium).map((each) => embed(each))];
}

function readAttribution(element: Element, content: readonly Item[], conversion: Conversion): readonly Item[] {
  return [{ type: "attribution", children: oneLine(content, element, conversion) }];
}

/** Quotations do not nest: the words of an inner one are part of the outer one. */
function readQuote(element: Element, content: readonly Item[], conversion: Conversion): readonly Item[] {
  const attributionItem = content.findLast((item): item is Attribution => item.type === "attribution");
  const blocks = gather(content.filter((item) => item !== attributionItem)).flatMap((block) =>
    unquoted(block, element, conversion),
  );
  if (blocks.length === 0 && attributionItem === undefined) return [];
  const attribution = attributionItem === undefined ? {} : { attribution: attributionItem.children };
  return [quote(blocks, { ...attribution, format: classesOf(element).includes("featured") ? "featured" : "long" })];
}

function unquoted(block: Block, element: Element, conversion: Conversion): readonly Block[] {
  if (block.type !== "quote") return [block];
  conversion.report(
    "nested-quote",
    "loss",
    "Quotations do not nest in wiki text. The inner one becomes part of the outer one.",
    element,
  );
  return [...block.children, ...(block.attribution.length > 0 ? [paragraph(block.attribution)] : [])];
}

/** Drops one line end at the end of `<pre><code>`: Markdown printers and `toPlainHtml` add it. */
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

/** Lists, and lists of terms as paragraphs. */
export const LIST_HANDLERS: Readonly<Record<string, Handler>> = {
  ul: (element, content, conversion) => readList(false, content, element, conversion),
  menu: (element, content, conversion) => readList(false, content, element, conversion),
  dir: (element, content, conversion) => readList(false, content, element, conversion),
  ol: readOrdered,
  li: readItem,
  dt: (element, content, conversion) => readTerm(oneLine(content, element, conversion)),
};

function readOrdered(element: Element, content: readonly Item[], conversion: Conversion): readonly Item[] {
  const { start } = element.properties;
  if (typeof start === "number" && start !== 1) {
    conversion.report("list-start", "loss", `A list that begins with ${start} will begin with 1.`, element);
  }
  return readList(true, content, element, conversion);
}

/** Other content becomes an item; a list in a list belongs to the item before it. */
function readList(
  ordered: boolean,
  content: readonly Item[],
  element: Element,
  conversion: Conversion,
): readonly Item[] {
  const items: { readonly item: ListItem; readonly lists: List[] }[] = [];
  for (const item of content) {
    const last = items.at(-1);
    if (item.type === "list" && last !== undefined) last.lists.push(item);
    else
      for (const made of item.type === "listItem" ? [item] : readItem(element, [item], conversion))
        items.push({ item: made, lists: [...made.lists] });
  }
  return items.length > 0
    ? [
        list(
          ordered,
          items.map(({ item, lists }) => ({ ...item, lists: joinLists(lists) })),
        ),
      ]
    : [];
}

/** An item is one line, so words after its lists move before them. */
function readItem(element: Element, content: readonly Item[], conversion: Conversion): readonly ListItem[] {
  const shown = content.filter((item) => !isInline(item) || showsSomething(item));
  const firstList = shown.findIndex(isList);
  if (firstList >= 0 && !shown.slice(firstList).every(isList)) {
    conversion.report("item-reordered", "loss", "Words after a nested list move before the list.", element);
  }
  const lists = joinLists(shown.filter(isList));
  const words = content.flatMap((item): readonly Item[] => (isList(item) ? BREAK : [item]));
  const children = finishWords(flatten(words, BREAK, tellOf(element, conversion)));
  return children.length + lists.length > 0 ? [listItem(children, lists)] : [];
}

/** Neighbours of one kind are one list in wiki text. */
function joinLists(lists: readonly List[]): readonly List[] {
  const joined: { readonly first: List; readonly children: ListItem[] }[] = [];
  for (const each of lists) {
    const last = joined.at(-1);
    if (last?.first.ordered !== each.ordered) joined.push({ first: each, children: [...each.children] });
    else for (const child of each.children) last.children.push(child);
  }
  return joined.map(({ first, children }) => ({ ...first, children }));
}

function isList(item: Item): item is List {
  return item.type === "list";
}

function readTerm(words: readonly Inline[]): readonly Item[] {
  return words.length > 0 ? [paragraph(markInlines("strong", words))] : [];
}

/** The table syntax is not public (wiki-syntax 2.1), so each row becomes an item of a list. */
export const TABLE_HANDLERS: Readonly<Record<string, Handler>> = {
  td: (element, content, conversion) => [readCell(false, element, content, conversion)],
  th: (element, content, conversion) => [readCell(true, element, content, conversion)],
  tr: (_, content) => [{ type: "row", cells: content.filter(isCell) }],
  table: readTable,
};

function readCell(header: boolean, element: Element, content: readonly Item[], conversion: Conversion): Cell {
  const words = finishWords(flatten(content, BREAK, tellOf(element, conversion)));
  return { type: "cell", header, children: header ? markInlines("strong", words) : words };
}

function readTable(element: Element, content: readonly Item[], conversion: Conversion): readonly Item[] {
  const rows = content.filter(isRow).filter(({ cells }) => cells.some((cell) => cell.children.length > 0));
  const message = `A table of ${rows.length} rows becomes a list with one item for each row, because the table syntax of sites is not public.`;
  if (rows.length > 0) conversion.report("table-to-list", "loss", message, element);
  const items = rows.map(({ cells }) => listItem(finishWords(wordsOfRow(cells))));
  const others = gather(content.filter((item) => !isRow(item)));
  return [...others, ...(items.length > 0 ? [list(false, items)] : [])];
}

function isCell(item: Item): item is Cell {
  return item.type === "cell";
}

function isRow(item: Item): item is Row {
  return item.type === "row";
}
