import { csvCell } from "../../core/util/csv-cell.js";
import type { MovedThing } from "./moved-thing.js";

const COLUMNS: readonly (readonly [name: string, text: (thing: MovedThing) => string])[] = [
  ["kind", ({ kind }) => kind],
  ["key", ({ key }) => key],
  ["title", ({ title }) => title],
  ["old_id", ({ oldId }) => oldId],
  ["old_address", ({ oldAddress }) => oldAddress ?? ""],
  ["new_id", ({ newId }) => newId],
  ["new_address", ({ newAddress }) => newAddress],
  ["adopted", ({ adopted }) => (adopted ? "yes" : "no")],
];

/** A map as comma-separated values with a head (RFC 4180); no cell is a formula to a spreadsheet. */
export function* csvMap(things: Iterable<MovedThing>): Generator<string> {
  yield line(COLUMNS.map(([name]) => name));
  for (const thing of things) yield line(COLUMNS.map(([, text]) => text(thing)));
}

function line(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}
