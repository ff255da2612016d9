import type { Catalogue } from "./catalogue.js";
import type { Library, SnapshotView } from "./library.js";

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
