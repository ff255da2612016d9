import { recordEndpoint, SITE_WALKS } from "../service/endpoints/record-endpoints.js";
import { rowsIn } from "../service/source/rows.js";
import type { Item } from "../core/model/item.js";
import { type ItemKind, type Key, kindOf, restOf, wikiOf } from "../core/model/key.js";
import type { ItemReader, ItemStore } from "../storage/workspace/item-store.js";
import { readStored } from "./extract-stored.js";

/** A list that shows less than before: of one kind, one namespace, or one family of rows. */
export interface Unlisted {
  /** For people: `guides`, `INFO pages`, `quizzes/:quizid`. */
  readonly list: string;
  readonly of: ListedSort;
  /** How many there were until now, and how many of these the list has no more. */
  readonly present: number;
  readonly unlisted: number;
}

/**
 * What vanishes with it: `items`; `records` that stand on its rows; `rows` of an answer that is kept whole; `passing`, what people fill and
 * empty in their daily work.
 */
export type ListedSort = "items" | "records" | "rows" | "passing";

const PASSING: ReadonlySet<string> = new Set([
  "approvals/requests",
  "approvals/request/{approval_requestid}",
  "guides/featured",
  "user/favorites/guides",
  "user/media/current",
]);

type Items = Pick<ItemStore, "entries" | "unlisted">;

/** The lists that lack something which they had; to be called when everything was listed, before `endListing`. */
export function unlistedParts(items: Items): readonly Unlisted[] {
  const unlisted = countByList(items.unlisted());
  const kinds = new Set([...unlisted.values()].map(({ kind }) => kind));
  const present = new Map([...kinds].flatMap((kind) => [...countByList(presentKeys(items, kind))]));
  return [...unlisted].map(([list, { kind, count }]) => ({
    list,
    of: sortOf(list, kind === "record" ? "records" : "items"),
    present: present.get(list)?.count ?? count,
    unlisted: count,
  }));
}

function sortOf(list: string, usual: ListedSort): ListedSort {
  return PASSING.has(list) ? "passing" : usual;
}

/** Records that are lists themselves. */
const LISTS: ReadonlySet<string> = new Set([
  ...["tags", "comments", "releases"],
  ...SITE_WALKS.filter(({ walk }) => walk.paged === true).map(({ endpoint }) => endpoint.path.slice(1)),
]);

/** Does the site answer with an empty list where it had rows? `fresh` is not stored yet. */
export async function emptiedList(items: ItemReader, fresh: Item): Promise<Unlisted | undefined> {
  const list = restOf(fresh.key);
  if (!LISTS.has(list) || rowsOf(fresh)?.length !== 0) return undefined;
  const stored = await readStored(items, fresh.key);
  const { length = 0 } = (stored === undefined ? undefined : rowsOf(stored)) ?? [];
  return length === 0 ? undefined : { list, of: sortOf(list, "rows"), present: length, unlisted: length };
}

function rowsOf(item: Item): readonly unknown[] | undefined {
  return item.kind === "record" && item.body.status === 200 ? rowsIn(item.body.answer) : undefined;
}

interface Count {
  readonly kind: ItemKind;
  count: number;
}

function countByList(keys: Iterable<Key>): ReadonlyMap<string, Count> {
  const counts = new Map<string, Count>();
  for (const key of keys) {
    const list = listOf(key);
    if (list === undefined) continue;
    const counted = counts.get(list);
    if (counted === undefined) counts.set(list, { kind: kindOf(key) as ItemKind, count: 1 });
    else counted.count += 1;
  }
  return counts;
}

function* presentKeys(items: Items, kind: ItemKind): Generator<Key> {
  // Translations have no list: their guides tell of them.
  for (const { key, state } of items.entries(kind)) if (state === "present" && !isTranslation(key)) yield key;
}

function isTranslation(key: Key): boolean {
  return kindOf(key) === "guide" && key.includes("@");
}

/** undefined: it has no list of its own, or goes with the guide or page that it stands on. */
function listOf(key: Key): string | undefined {
  const kind = kindOf(key);
  if (kind === "guide") return "guides";
  if (kind === "category") return "categories";
  return kind === "wiki" ? `${wikiOf(key).namespace} pages` : familyOf(key);
}

function familyOf(key: Key): string | undefined {
  const endpoint = recordEndpoint(restOf(key));
  const standsOnRows = endpoint?.use.by === "backup" && endpoint.use.walks.some(({ per }) => per === "row");
  return standsOnRows ? endpoint.path.slice(1) : undefined;
}
