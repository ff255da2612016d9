import type { Element } from "hast";
import { MARKERS, mark } from "../../wiki/build-inlines.js";
import type { Block, Inline, List, ListItem, MarkType } from "../../wiki/tree.js";
import { showsSomething } from "./finish-words.js";
import { guardEdges } from "./guard-edges.js";
import { type Item, isInline, isMedium } from "./item.js";
import { type Handler, property, type Reading } from "./reading.js";
import { styleMarks } from "./style-marks.js";

/** Elements by the mark that they are: what this project writes, what the site writes, and their elder names (wiki-syntax 8.4). */
const NAMES: Readonly<Record<MarkType, readonly string[]>> = {
  strong: ["strong", "b"],
  emphasis: ["em", "i", "cite", "dfn", "var"],
  underline: ["ins", "u"],
  strike: ["del", "s", "strike"],
  superscript: ["sup"],
  subscript: ["sub"],
  code: ["code", "tt", "kbd", "samp"],
};

const MARK_TYPES = Object.keys(NAMES) as readonly MarkType[];

/** Elements that change how words look, by what they are or by their style alone. */
export const MARK_HANDLERS: Readonly<Record<string, Handler>> = {
  ...Object.fromEntries(MARK_TYPES.flatMap((type) => NAMES[type].map((name) => [name, markHandler(type)]))),
  span: markHandler(),
  font: markHandler(),
};

/** A style says more than the element's name, and may take its mark away. */
function markHandler(own?: MarkType): Handler {
  return (element, content, reading) => {
    const style = styleMarks(property(element, "style"));
    const types = MARK_TYPES.filter((type) => style.get(type) ?? type === own);
    // Links are underlined everywhere: their style says nothing that the link does not.
    const said = types.filter((type) => type === own || type !== "underline" || !reading.inLink);
    return said.reduceRight((words, type) => markWith(type, element, words, reading), content);
  };
}

const NEUTRALISED = "An apostrophe is kept from the marker beside it by a space without width.";

function markWith(type: MarkType, element: Element, content: readonly Item[], { report }: Reading): readonly Item[] {
  const isOfApostrophes = MARKERS[type].startsWith("'");
  const words = isOfApostrophes && content.every(isInline) ? guardEdges(content) : content;
  if (words.length > content.length) report("markup-neutralised", "note", NEUTRALISED, element);
  return markItems(type, words);
}

/** Lays a mark over items: a block cannot stand in a mark, so that its words get it. Nothing marks blanks and pictures. */
export function markItems(type: MarkType, items: readonly Item[]): readonly Item[] {
  return runs(items).flatMap((run): readonly Item[] =>
    run.every(isWord) ? markWords(type, run) : run.map((item) => markItem(type, item)),
  );
}

/** Lays a mark over words, but not over blanks and pictures. */
export function markInlines(type: MarkType, words: readonly Inline[]): readonly Inline[] {
  return markItems(type, words).filter(isInline);
}

/** Words that stand together, and other items one by one. */
function runs(items: readonly Item[]): readonly (readonly Item[])[] {
  const found: Item[][] = [];
  for (const item of items) {
    const last = found.at(-1);
    const [first] = last ?? [];
    if (last !== undefined && first !== undefined && isWord(first) && isWord(item)) last.push(item);
    else found.push([item]);
  }
  return found;
}

function isWord(item: Item): item is Inline {
  return isInline(item) && !isMedium(item);
}

function markWords(type: MarkType, words: readonly Inline[]): readonly Inline[] {
  return words.some(showsSomething) ? [mark(type, withoutMark(type, words))] : words;
}

/** A mark in a mark of its kind shows nothing, and cannot be written. */
function withoutMark(type: MarkType, words: readonly Inline[]): readonly Inline[] {
  return words.flatMap((word): readonly Inline[] => {
    if (!("children" in word)) return [word];
    const children = withoutMark(type, word.children);
    return word.type === type ? children : [{ ...word, children }];
  });
}

function markItem(type: MarkType, item: Item): Item {
  const change = CHANGES[item.type] as ((item: Item, type: MarkType) => Item) | undefined;
  return change === undefined ? item : change(item, type);
}

type Changes = {
  readonly [T in Item["type"]]?: (item: Extract<Item, { readonly type: T }>, type: MarkType) => Item;
};

const CHANGES: Changes = {
  paragraph: (block, type) => ({ ...block, children: markInlines(type, block.children) }),
  heading: (block, type) => ({ ...block, children: markInlines(type, block.children) }),
  listItem: markListItem,
  list: markList,
  quote: (quote, type) => ({ ...quote, children: quote.children.map((block) => markItem(type, block) as Block) }),
};

function markList(list: List, type: MarkType): List {
  return { ...list, children: list.children.map((item) => markListItem(item, type)) };
}

function markListItem(item: ListItem, type: MarkType): ListItem {
  const lists = item.lists.map((list) => markList(list, type));
  return { ...item, children: markInlines(type, item.children), lists };
}
