import type { Block, List, Quote } from "./tree.js";

/** The spacing of nodes that do not say their own. */

const BLANK_LINE = "\n\n";

/**
 * What stands before a block. The site needs no blank line behind a heading or list (the vendor writes none, wiki-syntax 5), but
 * with one no other reading is possible.
 */
export function beforeBlock(block: Block, previous: Block | undefined, first: string): string {
  if (block.before !== undefined) return block.before;
  if (previous === undefined) return first;
  return previous.type === "pageMacro" && block.type === "pageMacro" ? "\n" : BLANK_LINE;
}

/** As the vendor writes it: a paragraph ends with a blank line, every other block with its line (wiki-syntax 5). */
export function afterQuote(quote: Quote): string {
  return quote.children.at(-1)?.type === "paragraph" ? BLANK_LINE : "\n";
}

/** The marker of a list's items: that of one which has its own, or the mark repeated once more than around the list. */
export function itemMark(list: List, around: string): string {
  const given = list.children.find((item) => item.marker !== undefined)?.marker;
  return given ?? (list.ordered ? "#" : "*").repeat(around.length + 1);
}
