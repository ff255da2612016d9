import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { safeAddress } from "../../../../transforms/html/reader/safe-html.js";
import { readOwnAddress } from "../../../../transforms/references/site-addresses.js";
import { Icon } from "../../components/elements.js";
import type { Catalogue, Entry } from "../catalogue.js";
import type { Library, SnapshotView } from "../library.js";

/** What a page is made from. */
export interface PageContext {
  readonly library: Library;
  readonly shelf: SnapshotView;
  readonly catalogue: Catalogue;
  /**
   * `server`: pages are made as they are asked for. `files`: a static export, which has no server,
   * and is opened from a disk too; scripts and the search index are loaded as scripts, since a page
   * from a disk may fetch nothing.
   */
  readonly mode: "server" | "files";
  /**
   * Whether a page may lead to an address at a time of the library:
   * `leadsTo("20261119T030000Z", "guide/12.html")`. Default: a server has all of them, an export
   * none of other times, and no comparison.
   */
  readonly leadsTo?: (time: string, path: string) => boolean;
  /**
   * Set for an export of several times: the way from the root of a time to what all of them share
   * (`media/`, `assets/`, `times.html`), with a slash at its end. Its pages say nothing of other
   * times but what a script fills in, so that a page that did not change has the same bytes at each
   * time. Default: each time has its own.
   */
  readonly shared?: string;
}

/** A page that was made. */
export interface RenderedPage {
  /** 200, or 404 for something that is not there. */
  readonly status: 200 | 404;
  readonly html: string;
}

/**
 * Makes the page of an address inside of a time: `index.html`, `guide/12.html`, `category/….html`,
 * `tag/….html`, `changes/20261119T030000Z.html`. Links in it are relative to the address. What a
 * page shows that can't be read says so on the page; it throws only where the library itself can't
 * be read.
 */
export type RenderPage = (context: PageContext, path: string) => Promise<RenderedPage>;

/** The page that is being made: what it is made from, and where it lies. */
export interface PageScope extends PageContext {
  /** Its address inside of the time. */
  readonly path: string;
  /** The way from it to the root of the time: `` or `../../`. */
  readonly root: string;
  /** See `PageContext`. */
  readonly leadsTo: NonNullable<PageContext["leadsTo"]>;
}

/** An address inside of the time, relative to the page. */
export function hrefTo({ root }: PageScope, path: string): string {
  return root + path;
}

/** A file that the times of an export share, `media/…` or `assets/…`, relative to the page. */
export function hrefToShared({ root, shared = "" }: PageScope, path: string): string {
  return root + shared + path;
}

/** The page of an entry, relative to the page. */
export function hrefOf(scope: PageScope, { path }: Entry): string {
  return hrefTo(scope, path);
}

/** A page at another time of the library. */
export function hrefAt({ root }: PageScope, time: string, path: string): string {
  return `${root}../${time}/${path}`;
}

/** Whether there is a page at the time of this one. */
export function leadsHere({ shelf, leadsTo }: PageScope, path: string): boolean {
  return leadsTo(shelf.facts.id, path);
}

interface AnywhereLinkProps {
  readonly scope: PageScope;
  /** As the site gave it: of this site, where the archive may have the page, or any other. */
  readonly address: string | null;
  readonly children: Child;
}

/**
 * A link to the page of the archive that an address means; else to the address itself, if one may
 * go there; else the words alone.
 */
export function AnywhereLink({ scope, address, children }: AnywhereLinkProps): JSX.Element {
  if (address === null || address === "") return <>{children}</>;
  const { site } = scope.shelf;
  const key = readOwnAddress(address, 0, site)?.key ?? undefined;
  const entry = key && scope.catalogue.entry(key);
  if (entry !== undefined && entry.path !== "") return <a href={hrefOf(scope, entry)}>{children}</a>;
  const outside = safeAddress(address, site.origin);
  const link = outside === undefined ? children : <OutsideLink address={outside}>{children}</OutsideLink>;
  if (key === undefined) return <>{link}</>;
  return <Absent>{link}</Absent>;
}

/** An item of the site that is not here, in the words that texts have for it. */
function Absent({ children }: { readonly children: Child }): JSX.Element {
  return (
    <span class="absent">
      {children} <span class="absent-note">(not in this archive)</span>
    </span>
  );
}

interface OutsideLinkProps {
  /** Of the web. */
  readonly address: string;
  readonly children: Child;
}

/** A link that leaves the archive: nothing tells the other side where one came from. */
export function OutsideLink({ address, children }: OutsideLinkProps): JSX.Element {
  return (
    <a class="outside" href={address} rel="noreferrer noopener nofollow">
      {children}
      <Icon name="outside" />
    </a>
  );
}

/** Where an item was at the site, if that can be told. */
export function AtSite({ scope, address }: Omit<AnywhereLinkProps, "children">): JSX.Element | null {
  const outside = address === null || address === "" ? undefined : safeAddress(address, scope.shelf.site.origin);
  if (outside === undefined) return null;
  return (
    <p class="at-site muted">
      <OutsideLink address={outside}>Open this page at the site</OutsideLink>
    </p>
  );
}
