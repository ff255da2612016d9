import type { JSX } from "hono/jsx/jsx-runtime";
import type { Item, ItemOf } from "../../../core/model/item.js";
import { UntrustedText } from "../../components/untrusted-text.js";
import type { Entry } from "../catalogue.js";
import { guideAt } from "../page-path.js";
import { guidePage } from "./guide-page.js";
import { changesPage, historyPage } from "./history-pages.js";
import { itemChangesPage } from "./item-changes.js";
import { listingNamed, listingRows, listPage } from "./listing.js";
import { itemOf } from "./media-files.js";
import { aboutPage, documentsPage, guidesPage, homePage, pagesPage, tagPage, tagsPage } from "./overview-pages.js";
import { homeCrumb, readerPage } from "./reader-frame.js";
import { hrefTo, type PageContext, type PageScope, type RenderedPage, type RenderPage } from "./scope.js";
import { searchPage } from "./search-page.js";
import { HistoryLink } from "./snapshot-menu.js";
import { categoryPage, wikiPage } from "./wiki-page.js";

async function itemPage(scope: PageScope): Promise<RenderedPage> {
  const found = scope.catalogue.byPath(scope.path);
  const entry = found && (await scope.catalogue.known(found.key));
  if (entry === undefined) return { status: 404, html: missingPage(scope) };
  const { item, damage } = await itemOf(scope.snapshot, entry.key);
  if (damage !== undefined) return { status: 200, html: damagedPage(scope, { title: entry.title, reason: damage }) };
  const html = item === undefined ? undefined : await pageFor(scope, entry, item);
  return html === undefined ? { status: 404, html: missingPage(scope) } : { status: 200, html };
}

type PageFor<K extends Item["kind"]> = (scope: PageScope, entry: Entry, item: ItemOf<K>) => Promise<string>;

const PAGE_OF_KIND: { readonly [K in Item["kind"]]?: PageFor<K> } = {
  guide: guidePage,
  category: categoryPage,
  wiki: wikiPage,
};

/** undefined: items of its kind have no page. */
async function pageFor(scope: PageScope, entry: Entry, item: Item): Promise<string | undefined> {
  const render = PAGE_OF_KIND[item.kind] as PageFor<Item["kind"]> | undefined;
  return render?.(scope, entry, item);
}

/** undefined: no such page. */
type Render = (scope: PageScope, parts: readonly string[]) => Promise<RenderedPage | string | undefined>;

/** The first pattern that fits counts. */
const PAGES: readonly (readonly [RegExp, Render])[] = [
  [/^index\.html$/, homePage],
  [/^((?:category|tag)\/[^/]+|index|pages|guides)-([a-z]+)-(\d{1,5})\.html$/, listPage],
  [/^(?:guide|category|wiki)\/.+\.html$/, itemPage],
  [/^tags\.html$/, tagsPage],
  [/^tag\/[^/]+\.html$/, tagPage],
  [/^guides\.html$/, guidesPage],
  [/^pages\.html$/, pagesPage],
  [/^documents\.html$/, documentsPage],
  [/^about\.html$/, aboutPage],
  [/^search\.html$/, searchPage],
  [/^history\/(.+\.html)$/, historyPage],
  [/^changes\/([^/]+)\.html$/, changesPage],
  [/^changes\/([^/]+)\/(.+\.html)$/, itemChangesPage],
];

/** See `RenderPage`. */
export const renderPage: RenderPage = async (context, path) => {
  const scope = scopeOf(context, path);
  for (const [pattern, render] of PAGES) {
    const found = pattern.exec(path);
    if (found === null) continue;
    const page = await render(scope, found.slice(1));
    if (page === undefined) break;
    return typeof page === "string" ? { status: 200, html: page } : page;
  }
  return { status: 404, html: missingPage(scope) };
};

/** All rows of a list as JSON, for `src/web/reader/browser/lists.ts`; undefined: no such list. */
export async function renderRows(context: PageContext, name: string): Promise<string | undefined> {
  const listing = listingNamed(context.catalogue, name);
  return listing && listingRows(scopeOf(context, listing.path), listing);
}

function missingPage(scope: PageScope): string {
  return readerPage({ scope, title: "Not found", crumbs: [homeCrumb(scope)], children: <NotFound scope={scope} /> });
}

function NotFound({ scope }: { readonly scope: PageScope }): JSX.Element {
  return (
    <section class="page-body">
      <h1>Not found</h1>
      <p>
        This snapshot has no page{" "}
        <code>
          <UntrustedText text={scope.path} longest={200} />
        </code>
        . The page may be in another snapshot, or have another name. Search for it, or go to the{" "}
        <a href={hrefTo(scope, "index.html")}>start page</a>.
      </p>
      {guideAt(scope.path) !== undefined && (
        <p>
          <HistoryLink scope={scope} path={scope.path} words="Look for it in all snapshots" />
        </p>
      )}
    </section>
  );
}

interface DamagedProps {
  readonly title: string;
  readonly reason: string;
}

function damagedPage(scope: PageScope, { title, reason }: DamagedProps): string {
  const children = (
    <section class="page-body">
      <h1>
        <UntrustedText text={title} />
      </h1>
      <p class="note warn">
        This item cannot be read: <UntrustedText text={reason} />
      </p>
    </section>
  );
  return readerPage({ scope, title, crumbs: [homeCrumb(scope)], children });
}

const LEADS: Readonly<Record<PageContext["mode"], PageScope["leadsTo"]>> = { server: () => true, files: () => false };
function scopeOf(context: PageContext, path: string): PageScope {
  const { mode, leadsTo = LEADS[mode] } = context;
  return { ...context, path, root: "../".repeat(path.split("/").length - 1), leadsTo };
}
