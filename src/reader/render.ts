import type { Catalogue } from "./catalogue.js";
import type { Library, Shelf } from "./library.js";

/** What a page is made from. */
export interface PageContext {
  readonly library: Library;
  readonly shelf: Shelf;
  readonly catalogue: Catalogue;
  /**
   * `server`: several times are at hand, and the pages that compare them. `files`: a static export, which knows one time, has no server, and is opened from
   * a disk too; scripts and the search index are loaded as scripts, since a page from a disk may fetch nothing.
   */
  readonly mode: "server" | "files";
}

/** A page that was made. */
export interface RenderedPage {
  /** 200, or 404 for something that is not there. */
  readonly status: 200 | 404;
  readonly html: string;
}

/**
 * Makes the page of an address inside of a time: `index.html`, `guide/12.html`, `category/….html`, `tag/….html`, `changes/20261119T030000Z.html`. Links in it are
 * relative to the address. What a page shows that can't be read says so on the page; it throws only where the library itself can't be read.
 */
export type RenderPage = (context: PageContext, path: string) => Promise<RenderedPage>;
