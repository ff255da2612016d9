import { keysOf } from "../../transforms/references/reference.js";
import { readOwnAddress } from "../../transforms/references/site-addresses.js";
import { readerOf } from "../../transforms/references/text-reader.js";
import type { SiteIdentity } from "../core/model/identity.js";
import { type Item, type ItemOf, itemTitle, type MediaUse, type Part, type WikiItem } from "../core/model/item.js";
import { type ItemKind, isMediaKey, type Key, kindOf, wikiKey } from "../core/model/key.js";
import type { ItemReader } from "../storage/workspace/item-store.js";
import { isChosen, pathsOf, type Selection, takesEverything } from "./selection.js";

type Need = "prerequisite" | "part" | "tool" | "category" | "parent category" | "translation" | "reference" | "media";

interface Dependency {
  readonly key: Key;
  readonly how: Need;
}

/** Why an item is included: it is chosen, or another item needs it. */
export type Reason = { readonly chosen: true } | { readonly chosen: false; readonly neededBy: Key; readonly how: Need };

const CHOSEN: Reason = { chosen: true };

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
 * The pages of a part, by name and by address. A target creates an empty page for each name that
 * has none (api-facts 4.1), so the page has to exist before the guide.
 */
function pagesOf({ name, url }: Part, how: "part" | "tool", site: SiteIdentity): readonly Dependency[] {
  const named: Key = wikiKey("ITEM", itemTitle(name));
  const linked = url === null ? null : readOwnAddress(url, 0, site)?.key;
  const isPageOfItem = linked?.startsWith("wiki/ITEM/") === true && linked !== named;
  return [{ key: named, how }, ...(isPageOfItem ? [{ key: linked, how }] : [])];
}

/**
 * What an item needs on a target, each once with the first reason. Guides that a text links to are
 * not needed, since that would soon include the whole site. Such a link leads to the old site until
 * its guide moves too.
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
 * The chosen items and all that they need, with reasons. An item that `get` does not have is left
 * out, with what it would need.
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

interface Text {
  readonly text: string;
  readonly path: string;
  readonly where: "line" | "page";
}

type TextsOf<K extends ItemKind> = (item: ItemOf<K>) => readonly Text[];

const TEXTS: { readonly [K in ItemKind]: TextsOf<K> } = {
  guide: ({ body }) => [
    { text: body.introduction, path: "introduction", where: "page" },
    { text: body.conclusion, path: "conclusion", where: "page" },
    ...body.steps.flatMap((step, number) =>
      step.lines.map(({ text }, line): Text => ({ text, path: `steps[${number}].lines[${line}].text`, where: "line" })),
    ),
  ],
  category: textsOfPage,
  wiki: textsOfPage,
  image: () => [],
  video: () => [],
  document: () => [],
  record: () => [],
};

function textsOfPage({ body }: WikiItem): readonly Text[] {
  const own: Text = { text: body.contents, path: "contents", where: "page" };
  const translated = (body.translations ?? []).map(
    ({ language, contents }): Text => ({ text: contents, path: `translations.${language}.contents`, where: "page" }),
  );
  return [own, ...translated];
}

/** The referenced keys, each with the first field that refers to it. */
function referredTo(item: Item, site: SiteIdentity): ReadonlyMap<Key, string> {
  const textsOf = TEXTS[item.kind] as (item: Item) => readonly Text[];
  const found = new Map<Key, string>();
  for (const { text, path, where } of textsOf(item)) {
    for (const key of readerOf(site).references(text, where).flatMap(keysOf)) if (!found.has(key)) found.set(key, path);
  }
  return found;
}

/** Adds the media that only texts name. Their addresses have to come from the site. */
export function withReferredMedia(
  item: Item,
  site: SiteIdentity,
): { readonly item: Item; readonly referred: ReadonlySet<Key> } {
  const known = new Set(item.media.map(({ key }) => key));
  const added = [...referredTo(item, site)]
    .filter(([key]) => isMediaKey(key) && !known.has(key))
    .map(([key, path]): MediaUse => ({ key, url: null, guid: null, fileName: null, path }));
  const referred = new Set(added.map(({ key }) => key));
  return { item: added.length === 0 ? item : { ...item, media: [...item.media, ...added] }, referred };
}

/**
 * The items that a selection takes from a workspace, with reasons. Leaves out items that were
 * deleted at the source. Reads only the chosen items and what they need.
 */
export async function selectStored(
  items: ItemReader,
  selection: Selection,
  site: SiteIdentity,
): Promise<ReadonlyMap<Key, Reason>> {
  const chosen = new Set(chosenKeys(items, selection));
  if (!selection.dependencies || takesEverything(selection)) return new Map([...chosen].map((key) => [key, CHOSEN]));
  return closure(chosen, site, async (key) => (items.entry(key)?.state === "present" ? items.get(key) : undefined));
}

function* chosenKeys(items: ItemReader, selection: Selection): Generator<Key> {
  const parents = new Map<string, string | null>();
  for (const { key, category } of items.entries("category")) parents.set(key.slice("category/".length), category);
  const path = pathsOf(parents);
  for (const entry of items.entries()) {
    if (entry.state === "present" && isChosen(selection, entry, path)) yield entry.key;
  }
}
