import { embed, list, paragraph } from "../../wiki/build.js";
import { text } from "../../wiki/build-inlines.js";
import type { Block, Inline, ListItem } from "../../wiki/tree.js";
import { finishWords, showsSomething } from "./finish-words.js";
import { type Cell, type Item, isInline, isMedium } from "./item.js";

/** The blocks of a page: words between blocks become paragraphs, items outside of a list a list, cells a paragraph each. */
export function gather(items: readonly Item[]): readonly Block[] {
  const gathered: Gathered = { blocks: [], words: [], listItems: [] };
  for (const item of items) {
    if (isInline(item)) {
      gathered.words.push(item);
      continue;
    }
    endWords(gathered);
    if (item.type === "listItem") gathered.listItems.push(item);
    else {
      endList(gathered);
      for (const block of blockOf(item)) gathered.blocks.push(block);
    }
  }
  endWords(gathered);
  endList(gathered);
  return gathered.blocks;
}

interface Gathered {
  readonly blocks: Block[];
  /** Words and items of a list that stand together and are no block yet. */
  words: Inline[];
  listItems: ListItem[];
}

/** Words that show nothing are none, so that the items of a list around them stay together. */
function endWords(gathered: Gathered): void {
  const { words, blocks } = gathered;
  if (words.length === 0) return;
  gathered.words = [];
  if (!words.some(showsSomething)) return;
  endList(gathered);
  for (const block of paragraphOf(words)) blocks.push(block);
}

function endList(gathered: Gathered): void {
  const { listItems, blocks } = gathered;
  if (listItems.length === 0) return;
  gathered.listItems = [];
  blocks.push(list(false, listItems));
}

type Other = Exclude<Item, Inline | ListItem>;

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
