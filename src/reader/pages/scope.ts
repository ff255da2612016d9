import type { Entry } from "../catalogue.js";
import type { PageContext } from "../render.js";

/** The page that is being made: what it is made from, and where it lies. */
export interface PageScope extends PageContext {
  /** Its address inside of the time. */
  readonly path: string;
  /** The way from it to the root of the time: `` or `../../`. */
  readonly root: string;
}

/** How a page of an address is made. */
export function scopeOf(context: PageContext, path: string): PageScope {
  return { ...context, path, root: "../".repeat(path.split("/").length - 1) };
}

/** An address inside of the time, relative to the page. */
export function hrefTo({ root }: PageScope, path: string): string {
  return root + path;
}

/** The page of an entry, relative to the page. */
export function hrefOf(scope: PageScope, { path }: Entry): string {
  return hrefTo(scope, path);
}

/** The same page at another time of the library; only a server has any. */
export function hrefAt({ root }: PageScope, time: string, path: string): string {
  return `${root}../${time}/${path}`;
}
