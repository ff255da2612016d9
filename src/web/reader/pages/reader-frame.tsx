import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { safeAddress } from "../../../../transforms/html/reader/safe-html.js";
import { wikiKey } from "../../../core/model/key.js";
import { withCommas } from "../../../core/util/printable-text.js";
import { Icon, type IconName } from "../../components/elements.js";
import { PageFrame, pageHtml } from "../../components/page-frame.js";
import { UntrustedText } from "../../components/untrusted-text.js";

import { assetAddress, PAGE_SCRIPTS } from "../assets.js";
import type { Entry } from "../catalogue.js";
import { SnapshotTime } from "../snapshot-words.js";
import { hrefOf, hrefTo, hrefToShared, type PageScope } from "./scope.js";
import { SnapshotMenu } from "./snapshot-menu.js";

interface ReaderFrameProps {
  readonly scope: PageScope;
  readonly title: string;
  /** Default: none, as on the home page. */
  readonly crumbs?: readonly Crumb[];
  /** For printing. Default: the page is a list. */
  readonly item?: PrintedItem;
  /** Default: true; the home page has its own large field. */
  readonly search?: boolean;
  readonly children?: Child;
}

/** Only what the reader serves. A page from a disk has no origin, so `file:` replaces it. */
const POLICIES = {
  server:
    "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'",
  files:
    "default-src 'none'; img-src 'self' file:; media-src 'self' file:; style-src 'self' file:; script-src 'self' file:; connect-src 'self'; base-uri 'none'; form-action 'none'",
} as const;

export function readerPage(props: ReaderFrameProps): string {
  return pageHtml(<ReaderFrame {...props} />);
}

function ReaderFrame({ scope, title, crumbs = [], item, search = true, children }: ReaderFrameProps): JSX.Element {
  const { name } = scope.snapshot.site;
  return (
    <PageFrame
      title={title === name ? name : `${title} · ${name}`}
      policy={POLICIES[scope.mode]}
      head={<Head scope={scope} />}
    >
      <a class="skip" href="#main">
        Skip to main content
      </a>
      <header class="top">
        <a class="site" href={hrefTo(scope, "index.html")}>
          <UntrustedText text={name} />
        </a>
        {search && <SearchField scope={scope} />}
        <MainMenu scope={scope} />
        <SnapshotMenu scope={scope} />
      </header>
      <main id="main" tabindex={-1}>
        <Breadcrumbs crumbs={crumbs} />
        <ReadingNote scope={scope} />
        {children}
      </main>
      <Footer scope={scope} />
      <PrintedSource scope={scope} title={title} item={item} />
    </PageFrame>
  );
}

function Head({ scope }: { readonly scope: PageScope }): JSX.Element {
  return (
    <>
      <link rel="icon" type="image/svg+xml" href={hrefToShared(scope, assetAddress("icon.svg"))} />
      <link rel="stylesheet" href={hrefToShared(scope, assetAddress("style.css"))} />
      {PAGE_SCRIPTS.map((name) => (
        <script defer src={hrefToShared(scope, assetAddress(name))} />
      ))}
      {scope.shared !== undefined && <script defer src={hrefToShared(scope, assetAddress("times.js"))} />}
    </>
  );
}

interface MenuEntry {
  readonly path: string;
  readonly words: string;
  readonly icon: IconName;
  readonly has: (scope: PageScope) => boolean;
}

const MENU: readonly MenuEntry[] = [
  { path: "index.html", words: "Home", icon: "home", has: () => true },
  { path: "pages.html", words: "Pages", icon: "book", has: ({ catalogue }) => catalogue.pages().length > 0 },
  { path: "tags.html", words: "Tags", icon: "tag", has: ({ catalogue }) => catalogue.hasTags },
  {
    path: "documents.html",
    words: "Files",
    icon: "file",
    has: ({ catalogue: { counts } }) => counts.document + counts.video + counts.image > 0,
  },
  { path: "about.html", words: "About", icon: "info", has: () => true },
];

/** A row of links on wide screens, and a popover that needs no script on small ones. */
function MainMenu({ scope }: { readonly scope: PageScope }): JSX.Element {
  return (
    <>
      <button type="button" class="round menu-open" popovertarget="menu">
        <Icon name="menu" />
        <span class="unseen">Menu</span>
      </button>
      <nav class="menu" id="menu" popover="auto" aria-label="Main">
        {MENU.filter(({ has }) => has(scope)).map(({ path, words, icon }) => (
          <a href={hrefTo(scope, path)} aria-current={scope.path === path ? "page" : undefined}>
            <Icon name={icon} />
            {words}
          </a>
        ))}
      </nav>
    </>
  );
}

/** Lists may lack pictures, tags and summaries until all items are read. */
function ReadingNote({ scope }: { readonly scope: PageScope }): JSX.Element | null {
  const { done, total } = scope.catalogue.progress;
  if (done >= total) return null;
  return (
    <p class="note" role="status">
      {`${withCommas(done)} of ${withCommas(total)} items are read so far. Reload the page to see more pictures, tags and summaries.`}
    </p>
  );
}

/**
 * In an export only the home page names its snapshot, so that a later export keeps unchanged files.
 */
function Footer({ scope: { library, snapshot, mode } }: { readonly scope: PageScope }): JSX.Element {
  return (
    <footer class="bottom">
      <p>
        <UntrustedText text={snapshot.site.name} />
        {mode === "server" && (
          <>
            , as of <SnapshotTime all={library.snapshots} own={snapshot.facts} />
          </>
        )}
        . Saved by guideferry. This page loads nothing from other sites.
      </p>
    </footer>
  );
}

interface SearchFieldProps {
  readonly scope: PageScope;
  /** Default: false. */
  readonly large?: boolean;
  /** Results drop down from the field, or are a part of the page. Default: `list`. */
  readonly results?: "list" | "page";
}

/** Scripts show it, since the search needs them, and fill `#search-results` or `#all-results`. */
export function SearchField({ scope, large = false, results = "list" }: SearchFieldProps): JSX.Element {
  return (
    <search class={large ? "search large" : "search"} data-root={scope.root} hidden>
      <label class="unseen" for="search">
        Search
      </label>
      <Icon name="search" />
      <input
        id="search"
        type="search"
        placeholder="Search guides and pages"
        autocomplete="off"
        spellcheck={false}
        aria-controls={results === "list" ? "search-results" : "all-results"}
      />
      {/* The key that leads here. */}
      <span class="key" aria-hidden="true">
        /
      </span>
      {!large && <SearchButton />}
      {results === "list" && <div id="search-results" hidden />}
    </search>
  );
}

/** Shows and hides the field on phones; `src/web/reader/browser/keyboard.ts` answers it. */
function SearchButton(): JSX.Element {
  return (
    <button type="button" class="round search-open" aria-expanded="false" aria-controls="search">
      <Icon name="search" />
      <Icon name="close" />
      <span class="unseen">Search field</span>
    </button>
  );
}

/** No usable tree is deeper. */
const DEEPEST = 50;

/** The path through the categories to an item, without itself; ends at a cycle. */
export function crumbsOf(scope: PageScope, entry: Entry): readonly Crumb[] {
  const above: Entry[] = [];
  let parent = parentOf(scope, entry);
  while (parent !== undefined && parent.key !== entry.key && !above.includes(parent) && above.length < DEEPEST) {
    above.unshift(parent);
    parent = parentOf(scope, parent);
  }
  return [homeCrumb(scope), ...above.map((each) => crumbTo(scope, each))];
}

export function homeCrumb(scope: PageScope): Crumb {
  return { title: "Home", href: hrefTo(scope, "index.html") };
}

function crumbTo(scope: PageScope, entry: Entry): Crumb {
  return { title: <UntrustedText text={entry.title} />, href: hrefOf(scope, entry) };
}

function parentOf({ catalogue }: PageScope, { category }: Entry): Entry | undefined {
  return category === null || category === "" ? undefined : catalogue.entry(wikiKey("CATEGORY", category));
}

interface PrintedItem {
  /** `Guide 12`; untrusted text is allowed. */
  readonly words: string;
  readonly url: string | null;
}

interface PrintedSourceProps {
  readonly scope: PageScope;
  readonly title: string;
  /** Default: the page is a list. */
  readonly item?: PrintedItem | undefined;
}

const LONGEST_TITLE = 100;

/**
 * The source of a printed sheet, at the foot of each. Pages of an export name no snapshot (see
 * `PageContext`); a script adds it if there are several.
 */
function PrintedSource({ scope, title, item }: PrintedSourceProps): JSX.Element {
  const { site, facts } = scope.snapshot;
  const address = item?.url ? safeAddress(item.url, site.origin) : undefined;
  return (
    <div class="printed">
      <p>
        <UntrustedText text={title} longest={LONGEST_TITLE} />
        {item !== undefined && (
          <>
            {" · "}
            <UntrustedText text={item.words} longest={LONGEST_TITLE} />
          </>
        )}
        {title !== site.name && (
          <>
            {" · "}
            <UntrustedText text={site.name} />
          </>
        )}
        {scope.mode === "server" ? (
          <>
            , as of <SnapshotTime all={scope.library.snapshots} own={facts} />
          </>
        ) : (
          <span class="printed-time" />
        )}
        {` · ${address ?? site.origin}`}
      </p>
    </div>
  );
}

interface Crumb {
  readonly title: Child;
  readonly href: string;
}

/** The path to the page, without the page itself. */
function Breadcrumbs({ crumbs }: { readonly crumbs: readonly Crumb[] }): JSX.Element | null {
  if (crumbs.length === 0) return null;
  return (
    <nav class="crumbs" aria-label="Breadcrumbs">
      <ol>
        {crumbs.map(({ title, href }) => (
          <li>
            <a href={href}>{title}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
