import type { Key } from "../../src/core/model/key.js";
import type { TextContext } from "../wiki/tree.js";
import type { SiteAddresses } from "./site-addresses.js";

/**
 * Where the linkTarget of a reference is:
 * - `id`: at the target, under this id (of a category or wiki: under this title; of a USER or TEAM
 *   wiki: this number);
 * - `later`: it will be there but has no id yet; the reference stands as an absolute link to the
 *   old site until then;
 * - `never`: it is at the source and does not move; see {@link SiteOptions.dangling};
 * - `absent`: it is not at the source either. A reference by title or by an address of the old site
 *   leads to nothing there and can
 * lead to nobody else at the target, so it stays byte for byte; one by a bare id is written as for
 * `never`.
 */
export type Resolution =
  | { readonly id: string }
  | { readonly later: true }
  | { readonly never: true }
  | { readonly absent: true };

/**
 * What becomes of a reference whose linkTarget does not move: an absolute link to the old site, its label
 * as plain text, or `fail`: it is left as it stands, and the text must not be sent.
 */
export type DanglingPolicy = "absolute" | "label" | "fail";

/** How references are written, whatever they stand in. */
export interface SiteOptions {
  /** The site that the text comes from. */
  readonly source: SiteAddresses;
  /** The site that the text goes to. */
  readonly target: SiteAddresses;
  readonly resolve: (key: Key) => Resolution;
  /**
   * Is the linkTarget where it always was? Then not a letter of a reference to it changes, however it is
   * written. Default: no.
   */
  readonly isUnmoved?: ((key: Key) => boolean) | undefined;
  /**
   * Default `absolute`. Pages of the old site that have no key fall under it too, except when
   * source and target are one site. A product has a catalogue number and no id, so it stays as it
   * is; only `label` makes it text.
   */
  readonly dangling?: DanglingPolicy;
  /**
   * The form of references whose linkTarget has no id yet. Default `absolute`; `label` is never longer
   * than what stood there.
   */
  readonly later?: "absolute" | "label";
  /**
   * The absolute address of a linkTarget at the old site. Without one guides, categories and wikis get
   * the address that follows from their key; images, videos, documents and products have no such
   * address and become their label.
   */
  readonly addressOf?: (key: Key) => string | undefined;
}

/** How the references of a wiki text are written. */
export interface RewriteOptions extends SiteOptions {
  readonly context: TextContext;
}

/** A reference whose linkTarget does not move, or is nowhere. */
export interface Dangling {
  /** Its key; of a product `product/<code>`, of a page `page/<path>`. */
  readonly key: string;
  /** How it was written: `[guide|12|label]`. */
  readonly reference: string;
  /**
   * What stands there now. `guide`: the link goes to the guide but no longer to its step. `kept`:
   * left as it was, since it can't hit a stranger. `failed`: left as it was; do not send it.
   */
  readonly written: "absolute" | "label" | "guide" | "kept" | "failed";
}

/** What a rewrite could not point home. */
export interface RewriteReport {
  /** Keys that it could not be pointed to yet, each once, in order of appearance. */
  readonly missing: readonly Key[];
  readonly dangling: readonly Dangling[];
}

export interface Rewritten extends RewriteReport {
  readonly text: string;
}
