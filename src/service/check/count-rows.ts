import { isObject } from "../wire/place.js";
import type { Ask, Told } from "./ask.js";
import type { ListCount } from "./site-facts.js";

type Row = Readonly<Record<string, unknown>>;

/** A list whose rows are counted. */
export interface CountedList {
  readonly list: string;
  readonly path: string;
  /** `order=DESC&`: with `&` at its end. */
  readonly query?: string;
  readonly id: (row: Row) => unknown;
}

const PAGE = 200;
/** 10,000 rows are enough to know what kind of site it is; an exact number is the plan's. */
const MOST_PAGES = 50;

/** Counts the rows of a list and shows each to `see`. A page without anything new ends it: not every list knows `offset`. */
export async function countRows(
  ask: Ask,
  { list, path, query = "", id }: CountedList,
  see: (row: Row) => void,
  signal: AbortSignal,
): Promise<ListCount> {
  const seen = new Set<unknown>();
  let hidden = 0;
  let first: Told | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const told = await ask({ path: `${path}?${query}limit=${PAGE}&offset=${page * PAGE}` }, signal);
    first ??= told;
    if (told.status !== 200 || !Array.isArray(told.json))
      return { list, told: first, rows: seen.size, hidden, isWhole: false };
    const fresh = told.json.filter(isObject).filter((row) => !seen.has(id(row)));
    for (const row of fresh) {
      seen.add(id(row));
      if (row["public"] === false) hidden += 1;
      see(row);
    }
    if (fresh.length === 0) return { list, told: first, rows: seen.size, hidden, isWhole: true };
  }
  if (first === undefined) throw new Error("a list was counted without one page");
  return { list, told: first, rows: seen.size, hidden, isWhole: false };
}
