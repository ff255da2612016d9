import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { Breadcrumbs, type Crumb } from "../../components/breadcrumbs.js";
import { When } from "../../components/dates.js";
import { Foreign } from "../../components/foreign.js";
import { Icon, type IconName } from "../../components/icon.js";
import { numberWords } from "../../components/numbers.js";
import { PageFrame, pageHtml } from "../../components/page-frame.js";
import { assetAddress } from "../assets.js";
import { type PrintedItem, PrintedSource } from "./printed-source.js";
import { hrefTo, hrefToShared, type PageScope } from "./scope.js";
import { SearchField } from "./search-field.js";
import { TimesMenu } from "./times-menu.js";

export interface ReaderFrameProps {
  readonly scope: PageScope;
  /** Of the window. */
  readonly title: string;
  /** Default: none, as on the first page. */
  readonly crumbs?: readonly Crumb[];
  /** What the page is the page of, for paper. Default: a list. */
  readonly item?: PrintedItem;
  /** The search field stands large on the first page, and else above every page. Default: true. */
  readonly search?: boolean;
  readonly children?: Child;
}

/** Nothing but what the reader itself serves; a page from a disk has no origin, so there `file:` stands for it. */
const POLICIES = {
  server:
    "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'",
  files:
    "default-src 'none'; img-src 'self' file:; media-src 'self' file:; style-src 'self' file:; script-src 'self' file:; connect-src 'self'; base-uri 'none'; form-action 'none'",
} as const;

/** In the order in which they run. */
const SCRIPTS = [
  "zoom.js",
  "keyboard.js",
  "paper.js",
  "search-words.js",
  "search-load.js",
  "search-index.js",
  "search-match.js",
  "search-near.js",
  "search-probes.js",
  "search-rank.js",
  "search-find.js",
  "search-list.js",
  "search-results.js",
  "search-note.js",
  "search.js",
] as const;

/** A page of the reader as text. */
export function readerPage(props: ReaderFrameProps): string {
  return pageHtml(<ReaderFrame {...props} />);
}

function ReaderFrame({ scope, title, crumbs = [], item, search = true, children }: ReaderFrameProps): JSX.Element {
  const { name } = scope.shelf.site;
  return (
    <PageFrame
      title={title === name ? name : `${title} · ${name}`}
      policy={POLICIES[scope.mode]}
      head={<Head scope={scope} />}
    >
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="top">
        <a class="site" href={hrefTo(scope, "index.html")}>
          <Foreign text={name} />
        </a>
        {search && <SearchField scope={scope} />}
        <MainMenu scope={scope} />
        <TimesMenu scope={scope} />
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
      {SCRIPTS.map((name) => (
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
  /** Is there anything behind it? */
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

function MainMenu({ scope }: { readonly scope: PageScope }): JSX.Element {
  return (
    <nav class="menu" aria-label="Main">
      {MENU.filter(({ has }) => has(scope)).map(({ path, words, icon }) => (
        <a href={hrefTo(scope, path)} aria-current={scope.path === path ? "page" : undefined}>
          <Icon name={icon} />
          {words}
        </a>
      ))}
    </nav>
  );
}

/** Until every item was read, lists may lack pictures, tags and summaries. */
function ReadingNote({ scope }: { readonly scope: PageScope }): JSX.Element | null {
  const { done, total } = scope.catalogue.progress;
  if (done >= total) return null;
  return (
    <p class="note" role="status">
      {`${numberWords(done)} of ${numberWords(total)} items read so far. Pictures, tags and summaries follow; load the page again to see more.`}
    </p>
  );
}

/** A file of an export says when it is from on its first page only, so that the next export leaves alone what did not change. */
function Footer({ scope: { shelf, mode } }: { readonly scope: PageScope }): JSX.Element {
  return (
    <footer class="bottom">
      <p>
        <Foreign text={shelf.site.name} />
        {mode === "server" && (
          <>
            , as it was on <When seconds={shelf.facts.time} exact />
          </>
        )}
        . Kept and shown by guideferry; nothing on this page comes from another place.
      </p>
    </footer>
  );
}
