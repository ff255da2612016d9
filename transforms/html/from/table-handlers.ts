import type { Element } from "hast";
import { list, listItem } from "../../wiki/build.js";
import { finishWords } from "./finish-words.js";
import { BREAK, flatten, tellOf } from "./flatten.js";
import { gather, wordsOfRow } from "./gather.js";
import type { Cell, Item, Row } from "./item.js";
import { markInlines } from "./mark-handlers.js";
import type { Handler, Reading } from "./reading.js";

/** Tables: the syntax has none that is publicly known (wiki-syntax 2.1), so that each row becomes an item of a list. */
export const TABLE_HANDLERS: Readonly<Record<string, Handler>> = {
  td: (element, content, reading) => [readCell(false, element, content, reading)],
  th: (element, content, reading) => [readCell(true, element, content, reading)],
  tr: (_, content) => [{ type: "row", cells: content.filter(isCell) }],
  table: readTable,
};

function readCell(header: boolean, element: Element, content: readonly Item[], reading: Reading): Cell {
  const words = finishWords(flatten(content, BREAK, tellOf(element, reading)));
  return { type: "cell", header, children: header ? markInlines("strong", words) : words };
}

function readTable(element: Element, content: readonly Item[], reading: Reading): readonly Item[] {
  const rows = content.filter(isRow).filter(({ cells }) => cells.some((cell) => cell.children.length > 0));
  const message = `A table of ${rows.length} rows became a list, one row an item: the syntax of tables is not publicly known.`;
  if (rows.length > 0) reading.report("table-to-list", "loss", message, element);
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
