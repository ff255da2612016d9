import type { Table, TableRow } from "mdast";
import { list, listItem } from "../wiki/build.js";
import { mark, text } from "../wiki/build-inlines.js";
import type { Block, Inline } from "../wiki/tree.js";
import { readLine } from "./read-line.js";
import { type Reading, tellAt } from "./reading.js";

/** The syntax of tables is not publicly known (wiki-syntax 2.1): each row becomes an item of a list. */
export function readTable(node: Table, reading: Reading): readonly Block[] {
  const message = `A table of ${node.children.length} rows became a list, one row an item: the syntax of tables is not publicly known.`;
  tellAt(reading, node)("table-to-list", "loss", message);
  return [
    list(
      false,
      node.children.map((row, at) => listItem(readRow(row, at === 0, reading))),
    ),
  ];
}

/** The first row is the head. */
function readRow(row: TableRow, isHead: boolean, reading: Reading): readonly Inline[] {
  const cells = row.children.map(({ children }) => readLine(children, reading));
  return cells.flatMap((cell, at) => {
    const words = isHead && cell.length > 0 ? [mark("strong", cell)] : cell;
    return at === 0 ? words : [text(" | "), ...words];
  });
}
