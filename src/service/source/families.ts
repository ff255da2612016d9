import type { Listed } from "../../core/contracts.js";
import { idIn, type Key, kindOf, wikiOf } from "../../core/model/key.js";
import type { Endpoint, ItemWalk } from "../endpoints/endpoint.js";
import { ITEM_WALKS, pathWith, type RecordWalk, SITE_WALKS } from "../endpoints/record-endpoints.js";
import { isObject } from "../wire/place.js";
import type { RowFacts, SiteSession } from "./site-session.js";

/** The families that the source was told to take: one row for each answer of the site, and one for each item. To be listed last. */
export function* listFamilies(session: SiteSession): Generator<Listed> {
  for (const { endpoint } of SITE_WALKS) {
    if (isTaken(session, endpoint)) yield familyRow(endpoint.path.slice(1), "", undefined);
  }
  for (const one of ITEM_WALKS) {
    if (one.walk.ifAny === undefined && isTaken(session, one.endpoint)) yield* itemRows(session, one);
  }
}

/** Personal data only on request. */
export function isTaken({ options }: SiteSession, { personal }: Endpoint): boolean {
  return personal === undefined || options.personalData === true;
}

/** A record of an item is as old as the item: it is read anew when the item's token is another. */
export function* itemRows(session: SiteSession, { endpoint, walk }: RecordWalk<ItemWalk>): Generator<Listed> {
  for (const [key, facts] of session.listing().rows) {
    const id = idFor(walk, key, facts);
    if (id === undefined) continue;
    const path = pathWith(endpoint.path, (part) => (part === walk.id ? id : (walk.values?.[part] ?? "")));
    yield familyRow(path, facts.token, endpoint.path.slice(1));
  }
}

export function familyRow(path: string, revision: string, family: string | undefined): Listed {
  const row = { key: `record/${path}`, revision, title: path, category: null, modified: null } as const;
  return family === undefined ? row : { ...row, family };
}

function idFor({ per, id, namespaces, where }: ItemWalk, key: Key, facts: RowFacts): string | undefined {
  const isGuide = kindOf(key) === "guide";
  if (isGuide !== (per === "guide") || !says(facts, where)) return undefined;
  if (isGuide) return String(idIn(key));
  const { namespace, title } = wikiOf(key);
  if (namespaces !== undefined && !namespaces.includes(namespace)) return undefined;
  if (id === "title") return title;
  return facts.id === null ? undefined : String(facts.id);
}

/** null, false and an empty list are how the service says nothing (api-facts 11.4). */
function says({ rest }: RowFacts, where: string | undefined): boolean {
  if (where === undefined || !isObject(rest) || !Object.hasOwn(rest, where)) return true;
  const value = rest[where];
  return Boolean(value) && !(Array.isArray(value) && value.length === 0);
}
