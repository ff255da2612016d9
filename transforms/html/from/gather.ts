import { embed, list, paragraph } from "../../wiki/build.js";
import { text } from "../../wiki/build-inlines.js";
import type { Block, Inline, ListItem } from "../../wiki/tree.js";
import { finishWords, showsSomething } from "./finish-words.js";
import { type Cell, type Item, isInline, isMedium } from "./item.js";

/** The blocks of a page: words between blocks become paragraphs, items outside of a list a list, cells a paragraph each. */
export function gather(items: readonly Item[]): readonly Block[] {
  const shown = groups(items).filter((group) => group.some((item) => !isInline(item) || showsSomething(item)));
  return groups(shown.flat()).flatMap((group) => {
    if (group.every(isInline)) return paragraphOf(group);
    return group.every(isListItem) ? [list(false, group)] : group.filter(isOther).flatMap(blockOf);
  });
}

/** Neighbours of one kind: words, items of a list, or all others. */
function groups(items: readonly Item[]): readonly (readonly Item[])[] {
  const found: Item[][] = [];
  let last: string | undefined;
  for (const item of items) {
    const kind = isInline(item) ? "words" : item.type === "listItem" ? item.type : "other";
    const group = found.at(-1);
    if (group !== undefined && kind === last) group.push(item);
    else found.push([item]);
    last = kind;
  }
  return found;
}

function isListItem(item: Item): item is ListItem {
  return item.type === "listItem";
}

type Other = Exclude<Item, Inline | ListItem>;

function isOther(item: Item): item is Other {
  return !isInline(item) && !isListItem(item);
}

function blockOf(item: Other): readonly Block[] {
  if (item.type === "cell" || item.type === "attribution") return paragraphOf(item.children);
  if (item.type === "row") return paragraphOf(wordsOfRow(item.cells));
  return item.type === "paragraph" && item.children.length === 0 ? [] : [item];
}

const BETWEEN_CELLS = " | ";

/** The words of the cells of a row, one behind the other. */
export function wordsOfRow(cells: readonly Cell[]): readonly Inline[] {
  return cells.flatMap(({ children }, index) => (index === 0 ? children : [text(BETWEEN_CELLS), ...children]));
}

function paragraphOf(words: readonly Inline[]): readonly Block[] {
  const shown = finishWords(words);
  const [only] = shown;
  if (only === undefined) return [];
  return [shown.length === 1 && isMedium(only) ? embed(only) : paragraph(shown)];
}
