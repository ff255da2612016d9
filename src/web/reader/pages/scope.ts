import type { Entry } from "../catalogue.js";
import type { PageContext } from "../render.js";

/** The page that is being made: what it is made from, and where it lies. */
export interface PageScope extends PageContext {
  /** Its address inside of the time. */
  readonly path: string;
  /** The way from it to the root of the time: `` or `../../`. */
  readonly root: string;
  /** See `PageContext`. */
  readonly leadsTo: NonNullable<PageContext["leadsTo"]>;
}

const LEADS: Readonly<Record<PageContext["mode"], PageScope["leadsTo"]>> = { server: () => true, files: () => false };

/** How a page of an address is made. */
export function scopeOf(context: PageContext, path: string): PageScope {
  const { mode, leadsTo = LEADS[mode] } = context;
  return { ...context, path, root: "../".repeat(path.split("/").length - 1), leadsTo };
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
