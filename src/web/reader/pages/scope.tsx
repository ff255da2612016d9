import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { safeAddress } from "../../../../transforms/html/reader/safe-html.js";
import { readOwnAddress } from "../../../../transforms/references/site-addresses.js";
import { Icon } from "../../components/elements.js";
import type { Catalogue, Entry } from "../catalogue.js";
import type { Library, SnapshotView } from "../library.js";

export interface PageContext {
  readonly library: Library;
  readonly snapshot: SnapshotView;
  readonly catalogue: Catalogue;
  /**
   * `server`: pages are rendered on request. `files`: an export, also opened from a disk, where
   * pages may load scripts but fetch nothing.
   */
  readonly mode: "server" | "files";
  /**
   * Whether a page may link an address in a snapshot: `leadsTo("20261119T030000Z",
   * "guide/12.html")`. Default: a server has all of them, an export none of other snapshots and no
   * comparison.
   */
  readonly leadsTo?: (time: string, path: string) => boolean;
  /**
   * For an export of several snapshots: the path from the root of a snapshot to the shared files
   * (`media/`, `assets/`, `times.html`), with a slash at its end. A script adds what pages show of
   * other snapshots, so that unchanged pages have the same bytes in each snapshot. Default: each
   * snapshot has its own files.
   */
  readonly shared?: string;
}

export interface RenderedPage {
  readonly status: 200 | 404;
  readonly html: string;
}

/**
 * Renders the page of an address within a snapshot: `index.html`, `guide/12.html`,
 * `changes/20261119T030000Z.html`. Links are relative. A page names what can't be read; throws only
 * where the library itself can't be read.
 */
export type RenderPage = (context: PageContext, path: string) => Promise<RenderedPage>;

export interface PageScope extends PageContext {
  readonly path: string;
  /** The path to the root of the snapshot: empty or `../../`. */
  readonly root: string;
  /** See `PageContext`. */
  readonly leadsTo: NonNullable<PageContext["leadsTo"]>;
}

/** The relative link to an address within the snapshot. */
export function hrefTo({ root }: PageScope, path: string): string {
  return root + path;
}

/** The relative link to a shared file, `media/…` or `assets/…`. */
export function hrefToShared({ root, shared = "" }: PageScope, path: string): string {
  return root + shared + path;
}

export function hrefOf(scope: PageScope, { path }: Entry): string {
  return hrefTo(scope, path);
}

/** A page in another snapshot. */
export function hrefAt({ root }: PageScope, time: string, path: string): string {
  return `${root}../${time}/${path}`;
}

export function leadsHere({ snapshot, leadsTo }: PageScope, path: string): boolean {
  return leadsTo(snapshot.facts.id, path);
}

interface AnywhereLinkProps {
  readonly scope: PageScope;
  /** Of this site or any other. */
  readonly address: string | null;
  readonly children: Child;
}

/**
 * Links to the page of the archive, else to the address where it is safe, else shows the words
 * only.
 */
export function AnywhereLink({ scope, address, children }: AnywhereLinkProps): JSX.Element {
  if (address === null || address === "") return <>{children}</>;
  const { site } = scope.snapshot;
  const key = readOwnAddress(address, 0, site)?.key ?? undefined;
  const entry = key && scope.catalogue.entry(key);
  if (entry !== undefined && entry.path !== "") return <a href={hrefOf(scope, entry)}>{children}</a>;
  const outside = safeAddress(address, site.origin);
  const link = outside === undefined ? children : <OutsideLink address={outside}>{children}</OutsideLink>;
  if (key === undefined) return <>{link}</>;
  return <Absent>{link}</Absent>;
}

/** An item of the site that is not in the archive, in the words that texts use. */
function Absent({ children }: { readonly children: Child }): JSX.Element {
  return (
    <span class="absent">
      {children} <span class="absent-note">(not in this archive)</span>
    </span>
  );
}

interface OutsideLinkProps {
  readonly address: string;
  readonly children: Child;
}

/** Links out of the archive without a referrer. */
export function OutsideLink({ address, children }: OutsideLinkProps): JSX.Element {
  return (
    <a class="outside" href={address} rel="noreferrer noopener nofollow">
      {children}
      <Icon name="outside" />
    </a>
  );
}

/** The item's address at the site, where it is known. */
export function AtSite({ scope, address }: Omit<AnywhereLinkProps, "children">): JSX.Element | null {
  const outside = address === null || address === "" ? undefined : safeAddress(address, scope.snapshot.site.origin);
  if (outside === undefined) return null;
  return (
    <p class="at-site muted">
      <OutsideLink address={outside}>Open this page on the site</OutsideLink>
    </p>
  );
}
