import type { JSX } from "hono/jsx/jsx-runtime";
import { ITEM_KINDS, type ItemKind } from "../../../core/model/key.js";
import { withCommas } from "../../../core/util/printable-text.js";
import { Icon, Table } from "../../components/elements.js";
import { UntrustedText } from "../../components/untrusted-text.js";
import { countWords, When } from "../../components/words.js";
import type { Catalogue, Entry } from "../catalogue.js";
import { fileAnchor, tagPath } from "../page-path.js";
import { SnapshotTime, snapshotMoment } from "../snapshot-words.js";
import { CategoryTree, EntryCards, latestGuides, picturesOf } from "./entry-lists.js";
import { MediaLink } from "./item-parts.js";
import { EntryListing, firstPictures, type Listing, listingsAt } from "./listing.js";
import { findMedia, type MediaFiles } from "./media-files.js";
import { homeCrumb, readerPage, SearchField } from "./reader-frame.js";
import { hrefAt, hrefTo, leadsHere, OutsideLink, type PageScope } from "./scope.js";
import { WithoutScripts } from "./search-page.js";
import { listedSnapshots } from "./snapshot-menu.js";

const LATEST = 12;

export async function homePage(scope: PageScope): Promise<string> {
  const latest = latestGuides(scope.catalogue, LATEST);
  const listings = listingsAt(scope.catalogue, scope.path);
  const media = await findMedia(scope, {
    pictures: [...picturesOf(scope, latest), ...firstPictures(scope, listings)],
  });
  return readerPage({
    scope,
    title: scope.snapshot.site.name,
    search: false,
    children: (
      <>
        <Welcome scope={scope} />
        <Categories scope={scope} listings={listings} media={media} />
        <Latest scope={scope} latest={latest} media={media} />
      </>
    ),
  });
}

function Welcome({ scope }: { readonly scope: PageScope }): JSX.Element {
  const { snapshot, catalogue } = scope;
  return (
    <header class="welcome">
      <h1>
        <UntrustedText text={snapshot.site.name} />
      </h1>
      <p class="muted">
        {`${countsWords(catalogue)}, as of `}
        <SnapshotTime all={scope.library.snapshots} own={snapshot.facts} />
      </p>
      {!snapshot.facts.complete && (
        <p class="note">
          Some items could not be read for this snapshot. <a href={hrefTo(scope, "about.html")}>About this archive</a>
        </p>
      )}
      {catalogue.damaged.length > 0 && (
        <p class="note warn">
          {`${countWords(catalogue.damaged.length, "item")} cannot be read and may be missing from lists. `}
          <a href={hrefTo(scope, "about.html#damage")}>About this archive</a>
        </p>
      )}
      {remarksOf(scope).length > 0 && (
        <p class="note">
          There are warnings about this archive. <a href={hrefTo(scope, "about.html#remarks")}>Show warnings</a>
        </p>
      )}
      <SearchField scope={scope} large />
      <WithoutScripts scope={scope} />
    </header>
  );
}

/** `64 guides, 92 categories` */
function countsWords({ counts }: Catalogue): string {
  const words = [
    countWords(counts.guide, "guide"),
    countWords(counts.category, "category", "categories"),
    countWords(counts.wiki, "page"),
  ];
  return words.filter((each) => !each.startsWith("0 ")).join(", ") || "No items";
}

interface CategoriesProps {
  readonly scope: PageScope;
  readonly listings: readonly Listing[];
  readonly media: MediaFiles;
}

function Categories({ scope, listings, media }: CategoriesProps): JSX.Element {
  const { catalogue } = scope;
  const [all, loose] = [catalogue.counts.category, catalogue.guidesIn(null).length];
  return (
    <section aria-labelledby="categories">
      <h2 id="categories">Categories</h2>
      {listings.length === 0 && <p class="muted">There are no categories.</p>}
      {listings.map((listing) => (
        <EntryListing scope={scope} listing={listing} media={media} />
      ))}
      {all > scope.catalogue.categoriesIn(null).length && (
        <details class="all-categories">
          <summary>
            <Icon name="list" />
            {`Show all ${withCommas(all)} categories`}
          </summary>
          <CategoryTree scope={scope} />
        </details>
      )}
      {loose > 0 && (
        <p>
          <a href={hrefTo(scope, "guides.html")}>{`${countWords(loose, "guide")} without a category`}</a>
        </p>
      )}
    </section>
  );
}

interface LatestProps extends Omit<CategoriesProps, "listings"> {
  readonly latest: readonly Entry[];
}

function Latest({ scope, latest, media }: LatestProps): JSX.Element | null {
  if (latest.length === 0) return null;
  return (
    <section aria-labelledby="latest">
      <h2 id="latest">Recently updated</h2>
      <EntryCards
        scope={scope}
        entries={latest}
        media={media}
        note={({ modified }) => modified !== null && <When seconds={modified} />}
      />
    </section>
  );
}

const KIND_WORDS: Readonly<Record<ItemKind, string>> = {
  category: "Categories",
  wiki: "Pages",
  guide: "Guides",
  image: "Pictures",
  video: "Videos",
  document: "Documents",
  record: "Other site data",
};
/** Damaged items that are listed. */
const MOST_DAMAGED = 500;

export async function aboutPage(scope: PageScope): Promise<string> {
  const { snapshot, library } = scope;
  const { site, facts } = snapshot;
  const children = (
    <div class="page-body">
      <h1>About this archive</h1>
      <p>
        This archive contains <UntrustedText text={site.name} /> as of{" "}
        <SnapshotTime all={library.snapshots} own={facts} />. guideferry saved it, and reading it needs no connection to
        the site. Links to other sites leave the archive. No page loads content from them.
      </p>
      <dl class="info">
        {site.origin !== "" && (
          <div>
            <dt>Site</dt>
            <dd>
              <OutsideLink address={site.origin}>{site.origin}</OutsideLink>
            </dd>
          </div>
        )}
        {scope.mode === "server" && (
          <div>
            <dt>Opened from</dt>
            <dd>
              <code>
                <UntrustedText text={library.path} />
              </code>
            </dd>
          </div>
        )}
        <div>
          <dt>Languages</dt>
          <dd>{(site.languages.length === 0 ? [site.language] : site.languages).join(", ")}</dd>
        </div>
      </dl>
      <Counts scope={scope} />
      <Snapshots scope={scope} />
      <Remarks scope={scope} />
      <Damage scope={scope} />
    </div>
  );
  return readerPage({ scope, title: "About this archive", crumbs: [homeCrumb(scope)], children });
}

function Counts({ scope: { catalogue } }: { readonly scope: PageScope }): JSX.Element {
  const rows = ITEM_KINDS.filter((kind) => catalogue.counts[kind] > 0).map((kind) => [
    KIND_WORDS[kind],
    withCommas(catalogue.counts[kind]),
  ]);
  return (
    <section aria-labelledby="counts">
      <h2 id="counts">Contents</h2>
      <Table label="Contents" head={["Kind", "Count"]} rows={rows} numbers={[1]} />
    </section>
  );
}

function Snapshots({ scope }: { readonly scope: PageScope }): JSX.Element | null {
  const { snapshot } = scope;
  const times = listedSnapshots(scope);
  if (times.length < 2) return null;
  const rows = times.map(({ id, time, complete }) => [
    <a href={hrefAt(scope, id, "index.html")} aria-current={id === snapshot.facts.id ? "page" : undefined}>
      {snapshotMoment(times, { time })}
    </a>,
    complete ? "complete" : "some items failed",
    id === snapshot.facts.id ? "shown now" : <Differs scope={scope} path={`changes/${id}.html`} />,
  ]);
  return (
    <section aria-labelledby="times">
      <h2 id="times">Snapshots</h2>
      <Table label="Snapshots" head={["Date", "Status", "Changes"]} rows={rows} />
    </section>
  );
}

function Differs({ scope, path }: Pick<PageScope, "path"> & { readonly scope: PageScope }): JSX.Element | null {
  return leadsHere(scope, path) ? <a href={hrefTo(scope, path)}>compare with this snapshot</a> : null;
}

/** They name paths of this machine, which an export must not reveal. */
function remarksOf({ library, mode }: PageScope): readonly string[] {
  return mode === "server" ? library.remarks : [];
}

function Remarks({ scope }: { readonly scope: PageScope }): JSX.Element | null {
  const remarks = remarksOf(scope);
  if (remarks.length === 0) return null;
  return (
    <section aria-labelledby="remarks">
      <h2 id="remarks">Warnings</h2>
      <ul>
        {remarks.map((text) => (
          <li>
            <UntrustedText text={text} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Damage({ scope: { catalogue } }: { readonly scope: PageScope }): JSX.Element | null {
  const { damaged } = catalogue;
  if (damaged.length === 0) return null;
  return (
    <section aria-labelledby="damage">
      <h2 id="damage">{`${countWords(damaged.length, "item")} cannot be read`}</h2>
      <p>
        All other items can be read. To repair a repository, run <code>guideferry repair REPO SITE</code>. To repair a
        workspace, run <code>guideferry extract SITE</code> again.
      </p>
      <ul>
        {damaged.slice(0, MOST_DAMAGED).map(({ key, reason }) => (
          <li>
            <code>
              <UntrustedText text={key} />
            </code>
            : <UntrustedText text={reason} />
          </li>
        ))}
      </ul>
      {damaged.length > MOST_DAMAGED && <p class="muted">{`And ${withCommas(damaged.length - MOST_DAMAGED)} more.`}</p>}
    </section>
  );
}

export async function guidesPage(scope: PageScope): Promise<string> {
  const [listing] = listingsAt(scope.catalogue, scope.path);
  const count = countWords(listing?.entries.length ?? 0, "guide");
  const children = (
    <section>
      <h1 id="guides">Guides without a category</h1>
      <p class="muted">{count} in no category of this archive.</p>
      {listing !== undefined && (
        <EntryListing scope={scope} listing={listing} media={await mediaOf(scope, [listing])} />
      )}
    </section>
  );
  return readerPage({ scope, title: "Guides without a category", crumbs: [homeCrumb(scope)], children });
}

export async function pagesPage(scope: PageScope): Promise<string> {
  const listings = listingsAt(scope.catalogue, scope.path);
  const media = await mediaOf(scope, listings);
  const children = (
    <>
      <h1>Pages</h1>
      {listings.length === 0 && <p class="muted">There are no pages.</p>}
      {listings.map((listing) => (
        <section aria-labelledby={listing.id}>
          <h2 id={listing.id}>
            {listing.words} <span class="count">{withCommas(listing.entries.length)}</span>
          </h2>
          <EntryListing scope={scope} listing={listing} media={media} />
        </section>
      ))}
    </>
  );
  return readerPage({ scope, title: "Pages", crumbs: [homeCrumb(scope)], children });
}

function mediaOf(scope: PageScope, listings: readonly Listing[]): Promise<MediaFiles> {
  return findMedia(scope, { pictures: firstPictures(scope, listings) });
}

/**
 * Guides and pages lead to the other pictures and videos. Documents may be linked nowhere, and the
 * search leads to this list.
 */
const MOST_MEDIA = 300;
const MOST_DOCUMENTS = 5000;

export async function documentsPage(scope: PageScope): Promise<string> {
  const { catalogue } = scope;
  const lists = GROUPS.map(({ kind, ...words }) => ({ ...words, all: catalogue.media(kind) }));
  const shown = lists.flatMap(({ all, most }) => all.slice(0, most));
  const files = await findMedia(scope, { keys: shown.map(({ key }) => key) });
  const children = (
    <>
      <h1>Files</h1>
      {lists
        .filter(({ all }) => all.length > 0)
        .map(({ title, one, most, all }) => (
          <section aria-labelledby={`all-${one}`}>
            <h2 id={`all-${one}`}>
              {title} <span class="count">{withCommas(all.length)}</span>
            </h2>
            {one === "picture" ? (
              <Gallery entries={all.slice(0, most)} files={files} />
            ) : (
              <Files entries={all.slice(0, most)} files={files} />
            )}
            {all.length > most && (
              <p class="muted">{`${countWords(all.length - most, `more ${one}`)}. The guides and pages that use them show them.`}</p>
            )}
          </section>
        ))}
    </>
  );
  return readerPage({ scope, title: "Files", crumbs: [homeCrumb(scope)], children });
}

const GROUPS = [
  { kind: "document", title: "Documents", one: "document", most: MOST_DOCUMENTS },
  { kind: "video", title: "Videos", one: "video", most: MOST_MEDIA },
  { kind: "image", title: "Pictures", one: "picture", most: MOST_MEDIA },
] as const;

interface ListProps {
  readonly entries: readonly Entry[];
  readonly files: MediaFiles;
}

function Files({ entries, files }: ListProps): JSX.Element {
  return (
    <ul class="files">
      {entries.map(({ key, title }) => {
        const file = files.of(key);
        return (
          <li id={fileAnchor(key)}>
            {file === undefined ? (
              <span class="muted">{`${title}: not in this archive`}</span>
            ) : (
              <MediaLink file={file} />
            )}
          </li>
        );
      })}
    </ul>
  );
}

function Gallery({ entries, files }: ListProps): JSX.Element {
  const pictures = entries.flatMap(({ key }) => files.of(key) ?? []);
  return (
    <ul class="gallery">
      {pictures.map((file) => (
        <li>
          {file.shown === "image" ? (
            <a class="zoom" href={file.href}>
              <img src={file.href} alt={file.title} loading="lazy" decoding="async" />
            </a>
          ) : (
            <MediaLink file={file} />
          )}
        </li>
      ))}
    </ul>
  );
}

/** undefined: no tag of this address. */
export async function tagPage(scope: PageScope): Promise<string | undefined> {
  const tag = scope.catalogue.tagAt(scope.path);
  if (tag === undefined) return undefined;
  const listings = listingsAt(scope.catalogue, scope.path);
  const media = await mediaOf(scope, listings);
  const children = (
    <section>
      <p class="kind">Tag</p>
      <h1>
        <UntrustedText text={tag} />
      </h1>
      {listings.map((listing) => (
        <>
          <p class="muted" id={listing.id}>
            {listing.words}
          </p>
          <EntryListing scope={scope} listing={listing} media={media} />
        </>
      ))}
    </section>
  );
  const crumbs = [homeCrumb(scope), { title: "Tags", href: hrefTo(scope, "tags.html") }];
  return readerPage({ scope, title: tag, crumbs, children });
}

export async function tagsPage(scope: PageScope): Promise<string> {
  const tags = scope.catalogue.tags();
  const children = (
    <section>
      <h1>Tags</h1>
      <p class="muted">{countWords(tags.length, "tag")}</p>
      <ul class="tags">
        {tags.map(({ tag, count }) => (
          <li>
            <a class="chip" href={hrefTo(scope, tagPath(tag))}>
              <UntrustedText text={tag} />
              <span class="count">
                {withCommas(count)}
                <span class="unseen"> items</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
  return readerPage({ scope, title: "Tags", crumbs: [homeCrumb(scope)], children });
}
