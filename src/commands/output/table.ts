import { createRequire } from "node:module";
import { stripVTControlCharacters } from "node:util";
import { foldText, type SafeText, type Style, type Writer } from "./writer.js";

const require = createRequire(import.meta.url);

type Cell = string | number;
type Rows = readonly (readonly Cell[])[];

/** Columns of a text that is still easy to read. */
const NARROWEST = 20;

/**
 * Rows without lines between them, for terminals, logs and pipes. If they are wider than the
 * terminal, the headings are broken between words, or the texts of the last column.
 */
export function layTable(head: readonly string[], rows: Rows, writer: Writer): SafeText {
  const columns = writer.columns();
  const cells = rows.map((row) => row.map((cell) => (typeof cell === "string" ? writer.clean(cell) : cell)));
  const table = laid(head, cells, writer);
  if (columns === null || widthOf(table) < columns) return { safe: table };
  const last = cells.map((row) => String(row.at(-1) ?? ""));
  const room = columns - 1 - (widthOf(table) - Math.max(...last.map((text) => text.length)));
  if (room < NARROWEST || cells.some((row) => typeof row.at(-1) === "number"))
    return { safe: laid(head, cells, writer, (name) => name.replaceAll(" ", "\n")) };
  const folded = cells.map((row, at) => [...row.slice(0, -1), foldText(last[at] ?? "", room)]);
  return { safe: laid(head, folded, writer) };
}

function widthOf(table: string): number {
  return Math.max(...table.split("\n").map((line) => stripVTControlCharacters(line).length));
}

function laid(
  head: readonly string[],
  rows: Rows,
  writer: Writer,
  heading: (name: string) => string = (name) => name,
): string {
  // Loaded only here: most runs print no table, and loading it delays the start.
  const Table: typeof import("cli-table3") = require("cli-table3");
  const numeric = head.map((_name, column) => rows.length > 0 && rows.every((row) => typeof row[column] === "number"));
  const table = new Table({
    head: head.map((name) => writer.paint("bold", heading(writer.clean(name)))),
    colAligns: numeric.map((right) => (right ? "right" : "left")),
    chars: NO_LINES,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
  });
  const styled = (name: string, cell: Cell): Cell => {
    const style = styleOf(name, cell);
    return style === undefined ? cell : writer.paint(style, String(cell));
  };
  table.push(...rows.map((row) => row.map((cell, column) => styled(head[column] ?? "", cell))));
  return table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

function styleOf(heading: string, cell: Cell): Style | undefined {
  if (heading === "STATE") return STATES[cell];
  return cell === 0 ? undefined : COUNTS[heading];
}

const STATES: Readonly<Record<string, Style>> = { ok: "green", warning: "yellow", failed: "red", unknown: "dim" };
const COUNTS: Readonly<Record<string, Style>> = { failed: "red", "left out": "yellow", refused: "yellow" };

const NO_LINES = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: "  ",
};
