import { readOwnAddress } from "../../transforms/references/own-address.js";
import type { SiteIdentity } from "../core/contracts.js";
import { itemTitle, type Part } from "../core/model/guide.js";
import type { Item, ItemOf } from "../core/model/item.js";
import { type ItemKind, type Key, kindOf, wikiKey } from "../core/model/key.js";
import { referredTo } from "./extract-texts.js";

/** Why an item comes along with another one. */
export type Need =
  | "prerequisite"
  | "part"
  | "tool"
  | "category"
  | "parent category"
  | "translation"
  | "reference"
  | "media";

export interface Dependency {
  readonly key: Key;
  readonly how: Need;
}

/** Why an item is taken: the choice names it, or another item needs it. */
export type Reason = { readonly chosen: true } | { readonly chosen: false; readonly neededBy: Key; readonly how: Need };

export const CHOSEN: Reason = { chosen: true };

type Needs<K extends ItemKind> = (item: ItemOf<K>, site: SiteIdentity) => readonly Dependency[];

const NEEDS: { readonly [K in ItemKind]: Needs<K> } = {
  guide: ({ body, translations, key }, site) => [
    ...body.prerequisites.map((one): Dependency => ({ key: one, how: "prerequisite" })),
    ...(body.category === "" ? [] : [{ key: `category/${body.category}`, how: "category" } as const]),
    ...body.parts.flatMap((part) => pagesOf(part, "part", site)),
    ...body.tools.flatMap((tool) => pagesOf(tool, "tool", site)),
    ...(key.includes("@") ? translations.map((one): Dependency => ({ key: one, how: "translation" })) : []),
  ],
  category: ({ body }) => (body.parent === null ? [] : [{ key: `category/${body.parent}`, how: "parent category" }]),
  wiki: () => [],
  image: () => [],
  video: () => [],
  document: () => [],
  record: () => [],
};

/**
 * The page of a part or tool, by its name and by its address. A target makes an empty page for each name that has none (api-facts 4.1), so the
 * page has to be there before the guide.
 */
function pagesOf({ name, url }: Part, how: "part" | "tool", site: SiteIdentity): readonly Dependency[] {
  const named: Key = wikiKey("ITEM", itemTitle(name));
  const linked = url === null ? null : readOwnAddress(url, 0, site)?.key;
  const isPageOfItem = linked?.startsWith("wiki/ITEM/") === true && linked !== named;
  return [{ key: named, how }, ...(isPageOfItem ? [{ key: linked, how }] : [])];
}

/**
 * What an item needs at a target, each once, with the first reason found. Guides that a text only links to are not needed: followed
 * from text to text, they would soon be the whole site. Such a link leads to the old site until its guide moves too.
 */
export function dependenciesOf(item: Item, site: SiteIdentity): readonly Dependency[] {
  const needsOf = NEEDS[item.kind] as (item: Item, site: SiteIdentity) => readonly Dependency[];
  const all = [
    ...needsOf(item, site),
    ...item.media.map(({ key }): Dependency => ({ key, how: "media" })),
    ...[...referredTo(item, site).keys()].filter(isPage).map((key): Dependency => ({ key, how: "reference" })),
  ];
  const seen = new Set<Key>([item.key]);
  return all.filter(({ key }) => {
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function isPage(key: Key): boolean {
  return kindOf(key) === "wiki" || kindOf(key) === "category";
}

/**
 * The chosen items and all that they need, and that those need, each with the reason why it comes. `get` gives an item, or
 * undefined for one that isn't there: it is left out, and what it would need is not known.
 */
export async function closure(
  chosen: Iterable<Key>,
  site: SiteIdentity,
  get: (key: Key) => Promise<Item | undefined>,
): Promise<ReadonlyMap<Key, Reason>> {
  const reasons = new Map<Key, Reason>();
  const waiting: [Key, Reason][] = [...chosen].map((key) => [key, CHOSEN]);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [key, reason] = next;
    if (reasons.has(key)) continue;
    const item = await get(key);
    if (item === undefined) continue;
    reasons.set(key, reason);
    for (const need of dependenciesOf(item, site)) {
      if (!reasons.has(need.key)) waiting.push([need.key, { chosen: false, neededBy: key, how: need.how }]);
    }
  }
  return reasons;
}
