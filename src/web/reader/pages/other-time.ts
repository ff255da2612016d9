import type { Shelf, TimeFacts } from "../library.js";
import { leadsHere, type PageScope } from "./scope.js";

/** Two times, the older one first, whichever of them the page belongs to. */
export interface TwoTimes {
  readonly before: Shelf;
  readonly after: Shelf;
}

/** The time of the page, which compares it with another one; undefined: there is no such time, or it is the same, or no such page. */
export async function twoTimes(scope: PageScope, id: string): Promise<TwoTimes | undefined> {
  const { library, shelf, path } = scope;
  if (id === shelf.facts.id || !leadsHere(scope, path)) return undefined;
  const other = await library.at(id);
  if (other === undefined) return undefined;
  const isOlder = placeOf(library.times, id) < placeOf(library.times, shelf.facts.id);
  return isOlder ? { before: other, after: shelf } : { before: shelf, after: other };
}

function placeOf(times: readonly TimeFacts[], id: string): number {
  return times.findIndex((time) => time.id === id);
}
