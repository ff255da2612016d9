import type { Key } from "../../src/core/model/key.js";
import type { TextContext } from "../wiki/tree.js";
import type { SiteAddresses } from "./site-addresses.js";

/**
 * Where the link target of a reference is:
 * - `id`: at the target, under this id (category, wiki: this title; USER or TEAM wiki: this
 * number);
 * - `later`: not yet loaded; until then the reference is an absolute link to the old site;
 * - `never`: at the source, and does not move; see {@link SiteOptions.dangling};
 * - `absent`: not at the source either. A reference by title or old address leads to nothing there
 * and cannot lead to another item at the target, so it stays unchanged; a bare id is as `never`.
 */
export type Resolution =
  | { readonly id: string }
  | { readonly later: true }
  | { readonly never: true }
  | { readonly absent: true };

/**
 * How a reference is written whose link target does not move: as an absolute link to the old site,
 * as its label in plain text, or `fail`: unchanged, and the text must not be sent.
 */
export type DanglingPolicy = "absolute" | "label" | "fail";

/** How references are written, in any text. */
export interface SiteOptions {
  readonly source: SiteAddresses;
  readonly target: SiteAddresses;
  readonly resolve: (key: Key) => Resolution;
  /** Whether the link target is unmoved, so that references to it stay unchanged. Default: no. */
  readonly isUnmoved?: ((key: Key) => boolean) | undefined;
  /**
   * Default `absolute`. Includes pages of the old site without a key, except when source and target
   * are one site. A product has a catalogue number and no id, so only `label` changes it.
   */
  readonly dangling?: DanglingPolicy;
  /** The form without an id. Default `absolute`; `label` never makes a reference longer. */
  readonly later?: "absolute" | "label";
  /**
   * The absolute address of a link target on the old site. By default guides, categories and wikis
   * get the address of their key; images, videos, documents and products become their label.
   */
  readonly addressOf?: (key: Key) => string | undefined;
}

export interface RewriteOptions extends SiteOptions {
  readonly context: TextContext;
}

/** A reference whose link target does not move, or does not exist. */
export interface Dangling {
  /** Its key; `product/<code>` of a product, `page/<path>` of a page. */
  readonly key: string;
  /** The original text: `[guide|12|label]`. */
  readonly reference: string;
  /**
   * The new text. `guide`: a link to the guide without its step. `kept`: unchanged, since it cannot
   * lead to another item. `failed`: unchanged; do not send it.
   */
  readonly written: "absolute" | "label" | "guide" | "kept" | "failed";
}

/** References that a rewrite could not resolve. */
interface RewriteReport {
  /** Keys without an id so far, each once, in order of appearance. */
  readonly missing: readonly Key[];
  readonly dangling: readonly Dangling[];
}

export interface Rewritten extends RewriteReport {
  readonly text: string;
}
