import type { Item, ItemOf } from "../../../core/model/item.js";
import type { Entry } from "../catalogue.js";
import type { RenderedPage } from "../render.js";
import { categoryPage } from "./category-page.js";
import { guidePage } from "./guide-page.js";
import { itemOf } from "./item-of.js";
import { damagedPage, missingPage } from "./missing-page.js";
import type { PageScope } from "./scope.js";
import { wikiPage } from "./wiki-page.js";

/** The page of an item that has one: a guide, a category, any other wiki. */
export async function itemPage(scope: PageScope): Promise<RenderedPage> {
  const found = scope.catalogue.byPath(scope.path);
  const entry = found && (await scope.catalogue.known(found.key));
  if (entry === undefined) return { status: 404, html: missingPage(scope) };
  const { item, damage } = await itemOf(scope.shelf, entry.key);
  if (damage !== undefined) return { status: 200, html: damagedPage(scope, { title: entry.title, reason: damage }) };
  const html = item === undefined ? undefined : await pageFor(scope, entry, item);
  return html === undefined ? { status: 404, html: missingPage(scope) } : { status: 200, html };
}

type PageFor<K extends Item["kind"]> = (scope: PageScope, entry: Entry, item: ItemOf<K>) => Promise<string>;

const PAGES: { readonly [K in Item["kind"]]?: PageFor<K> } = {
  guide: guidePage,
  category: categoryPage,
  wiki: wikiPage,
};

/** undefined: items of its kind have no page. */
async function pageFor(scope: PageScope, entry: Entry, item: Item): Promise<string | undefined> {
  const render = PAGES[item.kind] as PageFor<Item["kind"]> | undefined;
  return render?.(scope, entry, item);
}
