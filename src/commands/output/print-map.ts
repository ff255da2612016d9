import type { MovedThing } from "../../sync/map/moved-thing.js";
import type { AddressMap } from "../../sync/map/moved-things.js";
import { plain, plainTitle } from "../../training/report/plain.js";
import type { Output } from "./output.js";
import { count } from "./words.js";

/** Rows that share their columns' widths: a table of any length must not be held as a whole. */
const ROWS = 500;

/** Shows a map to a person, a table for each kind. */
export function printMap(map: AddressMap, output: Output): void {
  const { source, target } = map;
  output.say(`From ${source?.origin ?? "documents"} to ${target.origin}`);
  let rows: MovedThing[] = [];
  let total = 0;
  const flush = (): void => {
    if (rows.length > 0) print(rows, output);
    rows = [];
  };
  for (const thing of map.things()) {
    if (rows.length === ROWS || rows[0]?.kind !== thing.kind) flush();
    rows.push(thing);
    total += 1;
  }
  flush();
  output.say(`\n${count(total, "address")}`);
}

function print(rows: readonly MovedThing[], output: Output): void {
  const kind = rows[0]?.kind ?? "";
  output.say("");
  output.table(
    [kind, "title", "old address", "id now", "new address", ""],
    rows.map(({ oldId, title, oldAddress, newId, newAddress, adopted }) => [
      plain(oldId),
      plainTitle(title),
      plain(oldAddress ?? ""),
      plain(newId),
      plain(newAddress),
      adopted ? "was there" : "",
    ]),
  );
}
