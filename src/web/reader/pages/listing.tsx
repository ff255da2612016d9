import type { JSX } from "hono/jsx/jsx-runtime";
import { NAMESPACES, type Namespace, wikiOf } from "../../../core/model/key.js";
import { withCommas } from "../../../core/util/printable-text.js";
import { Icon } from "../../components/elements.js";
import { plainWords, UntrustedText } from "../../components/untrusted-text.js";
import { countWords } from "../../components/words.js";
import type { Catalogue, Entry } from "../catalogue.js";
import { categoryNote, EntryCards, FALLBACK_ICONS, LONGEST_SUMMARY, picturesOf } from "./entry-lists.js";
import { findMedia, type MediaFiles } from "./media-files.js";
import { crumbsOf, homeCrumb, readerPage } from "./reader-frame.js";
import { hrefTo, hrefToShared, type PageScope } from "./scope.js";
import { languageAttributes } from "./texts.js";

/** Cards on a page: full rows of two, three or four, and few enough pictures to open at once. */
const PER_PAGE = 60;
/** Fewer entries are seen at a glance. */
const FEWEST_FILTERED = 13;

/** A list of entries on a page, in pages of its own where it is long. */
export interface Listing {
  /** Within its page, in lower case: a part of addresses. */
  readonly id: string;
  /** The page that the list is on, and its title; untrusted text is allowed. */
  readonly path: string;
  readonly pageTitle: string;
  /** `40 guides` */
  readonly words: string;
  readonly entries: readonly Entry[];
  /** The order of `entries`, in words. */
  readonly order: "In the order of the site" | "By title";
  /** Cards with small pictures. Default: false. */
  readonly isCompact?: boolean;
}

/** The lists on a page that has some, in the order of the page; empty ones are left out. */
export function listingsAt(catalogue: Catalogue, path: string): readonly Listing[] {
  return allListings(catalogue, path).filter(({ entries }) => entries.length > 0);
}

function allListings(catalogue: Catalogue, path: string): readonly Listing[] {
  const on = { path, order: "By title" } as const;
  if (path === "index.html") return [categoriesOn({ ...on, pageTitle: "Home" }, catalogue.categoriesIn(null))];
  if (path === "guides.html")
    return [guidesOn({ ...on, pageTitle: "Guides without a category" }, catalogue.guidesIn(null))];
  if (path === "pages.html")
    return NAMESPACES.map((namespace) => pagesOn({ ...on, pageTitle: "Pages" }, namespace, catalogue));
  const tag = path.startsWith("tag/") ? catalogue.tagAt(path) : undefined;
  if (tag !== undefined) {
    const entries = catalogue.tagged(tag);
    return [{ ...on, id: "items", pageTitle: tag, words: countWords(entries.length, "item"), entries }];
  }
  const entry = path.startsWith("category/") ? catalogue.byPath(path) : undefined;
  if (entry === undefined) return [];
  const { title } = wikiOf(entry.key);
  const pageTitle = entry.title;
  return [
    categoriesOn({ ...on, pageTitle }, catalogue.categoriesIn(title)),
    guidesOn({ ...on, pageTitle }, catalogue.guidesIn(title)),
  ];
}

type OnPage = Pick<Listing, "path" | "pageTitle" | "order">;

function categoriesOn(on: OnPage, entries: readonly Entry[]): Listing {
  const words = countWords(entries.length, "category", "categories");
  return { ...on, id: "categories", words, entries, order: "In the order of the site", isCompact: true };
}

function guidesOn(on: OnPage, entries: readonly Entry[]): Listing {
  return { ...on, id: "guides", words: countWords(entries.length, "guide"), entries };
}

function pagesOn(on: OnPage, namespace: Namespace, catalogue: Catalogue): Listing {
  const entries = catalogue.pages().filter(({ key }) => wikiOf(key).namespace === namespace);
  return { ...on, id: namespace.toLowerCase(), words: NAMESPACE_NAMES[namespace].many, entries, isCompact: true };
}

interface NamespaceName {
  readonly one: string;
  readonly many: string;
}

/** In the order of the list of pages. */
export const NAMESPACE_NAMES: Readonly<Record<Namespace, NamespaceName>> = {
  CATEGORY: { one: "Category", many: "Categories" },
  WIKI: { one: "Page", many: "Pages" },
  INFO: { one: "Information", many: "Information" },
  ITEM: { one: "Part or tool", many: "Parts and tools" },
  TEAM: { one: "Team", many: "Teams" },
  USER: { one: "Person", many: "People" },
};

/** The pictures of the first pages of lists. */
export function firstPictures(scope: PageScope, listings: readonly Listing[]): ReturnType<typeof picturesOf> {
  return listings.flatMap((listing) => picturesOf(scope, entriesOn(listing, 1)));
}

function entriesOn({ entries }: Listing, page: number): readonly Entry[] {
  return entries.slice((page - 1) * PER_PAGE, page * PER_PAGE);
}

interface EntryListingProps {
  readonly scope: PageScope;
  readonly listing: Listing;
  readonly media: MediaFiles;
  /** From 1. Default: 1. */
  readonly page?: number;
}

/** One page of a list. `src/web/reader/browser/lists.ts` orders and filters all of it. */
export function EntryListing({ scope, listing, media, page = 1 }: EntryListingProps): JSX.Element {
  const { id, entries, isCompact = false } = listing;
  const entriesHere = entriesOn(listing, page);
  const note = id === "categories" ? (entry: Entry) => categoryNote(scope, entry) : undefined;
  const cards = (
    <EntryCards scope={scope} entries={entriesHere} media={media} compact={isCompact} {...(note && { note })} />
  );
  if (entries.length < FEWEST_FILTERED) return cards;
  return (
    <div
      class="listing"
      id={`${id}-list`}
      data-rows={rowsName(listing)}
      data-id={id}
      data-root={scope.root}
      data-media={hrefToShared(scope, "")}
    >
      <ListingTools listing={listing} />
      {cards}
      <Pager scope={scope} listing={listing} page={page} />
    </div>
  );
}

/** Shown by the script, since they need it. */
function ListingTools({ listing: { id, order, entries } }: Pick<EntryListingProps, "listing">): JSX.Element {
  return (
    <div class="listing-tools" hidden>
      <label for={`${id}-filter`}>
        Filter
        <input id={`${id}-filter`} type="search" autocomplete="off" spellcheck={false} />
      </label>
      <label for={`${id}-order`}>
        Order
        <select id={`${id}-order`}>
          <option value="">{order}</option>
          {order !== "By title" && <option value="title">By title</option>}
          <option value="updated">Recently updated</option>
        </select>
      </label>
      <p class="muted" role="status" />
      <span class="listing-samples" hidden>
        <span class="card-picture empty">
          <Icon name={FALLBACK_ICONS[entries[0]?.kind ?? "guide"] ?? "file"} />
        </span>
        <span class="chip">
          <Icon name="lock" /> Private
        </span>
      </span>
    </div>
  );
}

interface PagerProps {
  readonly scope: PageScope;
  readonly listing: Listing;
  readonly page: number;
}

/** The same as `pagerOf` of `src/web/reader/browser/pager.ts`, for pages without scripts. */
function Pager({ scope, listing, page }: PagerProps): JSX.Element | null {
  const pages = pagesOf(listing);
  if (pages < 2) return null;
  const near = [1, page - 2, page - 1, page, page + 1, page + 2, pages].filter((each) => each >= 1 && each <= pages);
  const shown = [...new Set(near)];
  const link = (to: number, words: string): JSX.Element => (
    <a
      href={`${hrefTo(scope, listPath(listing, to))}#${listing.id}`}
      aria-current={words === String(page) ? "page" : undefined}
    >
      {words}
    </a>
  );
  return (
    <nav class="pager" aria-label={`Pages of the list: ${listing.words}`}>
      {page > 1 && link(page - 1, "Previous")}
      {shown.map((each, at) => (
        <>
          {at > 0 && each > (shown[at - 1] ?? 0) + 1 && <span>…</span>}
          {link(each, String(each))}
        </>
      ))}
      {page < pages && link(page + 1, "Next")}
    </nav>
  );
}

function pagesOf({ entries }: Listing): number {
  return Math.ceil(entries.length / PER_PAGE);
}

/** `category/looms-1f2e3d4c-guides-2.html`; the first page is that of the list itself. */
function listPath({ path, id }: Listing, page: number): string {
  return page === 1 ? path : path.replace(/\.html$/, `-${id}-${page}.html`);
}

/** Addresses of the further pages of the lists on a page. */
export function furtherPages(catalogue: Catalogue, path: string): readonly string[] {
  return listingsAt(catalogue, path).flatMap((listing) =>
    Array.from({ length: pagesOf(listing) - 1 }, (_, at) => listPath(listing, at + 2)),
  );
}

/** A further page of a list; undefined: there is none. */
export async function listPage(
  scope: PageScope,
  [base = "", id = "", number = ""]: readonly string[],
): Promise<string | undefined> {
  const listing = listingsAt(scope.catalogue, `${base}.html`).find((each) => each.id === id);
  const page = Number(number);
  if (listing === undefined || page < 2 || page > pagesOf(listing)) return undefined;
  const media = await findMedia(scope, { pictures: picturesOf(scope, entriesOn(listing, page)) });
  const title = `${listing.pageTitle}, page ${page}`;
  const children = (
    <section>
      <h1>
        <UntrustedText text={listing.pageTitle} />
      </h1>
      <h2 id={id}>{`${listing.words}, page ${withCommas(page)} of ${withCommas(pagesOf(listing))}`}</h2>
      <EntryListing scope={scope} listing={listing} media={media} page={page} />
    </section>
  );
  return readerPage({ scope, title, crumbs: crumbsTo(scope, listing), children });
}

function crumbsTo(scope: PageScope, { path, pageTitle }: Listing): ReturnType<typeof crumbsOf> {
  const entry = scope.catalogue.byPath(path);
  const above = entry === undefined ? [homeCrumb(scope)] : crumbsOf(scope, entry);
  if (path === "index.html") return above;
  return [...above, { title: <UntrustedText text={pageTitle} />, href: hrefTo(scope, path) }];
}

/** Equals `ListedRow` of `src/web/reader/browser/lists.ts`. */
type ListedRow = readonly [
  title: string,
  path: string,
  /** `media/…`; empty: none. */
  picture: string,
  note: string,
  summary: string,
  isPrivate: 0 | 1,
  lang: string,
  dir: string,
  /** UNIX seconds; 0: unknown. */
  modified: number,
];

/** The file below `search/` that has all rows of a list, `list_category_looms-1f2e3d4c_guides`. */
function rowsName({ path, id }: Pick<Listing, "path" | "id">): string {
  return `list_${path.replace(/\.html$/, "").replaceAll("/", "_")}_${id}`;
}

/** The lists on a page that can be filtered, with the names of the files of their rows. */
export function filteredListings(catalogue: Catalogue, path: string): readonly (Listing & { readonly name: string })[] {
  return listingsAt(catalogue, path)
    .filter(({ entries }) => entries.length >= FEWEST_FILTERED)
    .map((listing) => ({ ...listing, name: rowsName(listing) }));
}

/** The list of a name; undefined: there is none. */
export function listingNamed(catalogue: Catalogue, name: string): Listing | undefined {
  const [, base, id] = /^list_(.+)_([a-z]+)$/.exec(name) ?? [];
  if (base === undefined) return undefined;
  return filteredListings(catalogue, `${base.replaceAll("_", "/")}.html`).find((each) => each.id === id);
}

/** `ListedRow[]` as JSON. */
export async function listingRows(scope: PageScope, { id, entries }: Listing): Promise<string> {
  const pictures = picturesOf(scope, entries);
  const pathOf = await picturePaths(scope, pictures);
  const rows = entries.map((entry, at): ListedRow => {
    const { title, path, more, modified } = entry;
    const { lang = "", dir = "" } = more === undefined ? {} : languageAttributes(more.language);
    const summary = plainWords(more?.summary ?? "", LONGEST_SUMMARY);
    const note = id === "categories" ? categoryNote(scope, entry) : "";
    const isPrivate = more?.isPrivate === true ? 1 : 0;
    return [
      plainWords(title, LONGEST_TITLE),
      path,
      pathOf(pictures[at]),
      note,
      summary,
      isPrivate,
      lang,
      dir,
      modified ?? 0,
    ];
  });
  return JSON.stringify(rows);
}

const LONGEST_TITLE = 300;

/**
 * An export names files by their type, which their first bytes tell. The server finds media by
 * their sha256, so that it need not read thousands of files for a list.
 */
async function picturePaths(
  scope: PageScope,
  pictures: ReturnType<typeof picturesOf>,
): Promise<(sha256: string | null | undefined) => string> {
  if (scope.mode === "server") return (sha256) => (sha256 === null || sha256 === undefined ? "" : `media/${sha256}`);
  const media = await findMedia({ ...scope, root: "", shared: "" }, { pictures });
  return (sha256) => media.picture(sha256) ?? "";
}
