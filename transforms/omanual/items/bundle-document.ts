import type { PeekedRoot } from "../../xml/peek-root.js";

/** One document of a package, as far as the keys of all others need it. */
export interface BundleDocument {
  readonly path: string;
  readonly root: PeekedRoot;
  /** Of a category or manifest: the guides that it lists, and the name of the category. */
  readonly index: {
    readonly category: string | null;
    /** `file`: as the document writes it. */
    readonly rows: readonly { readonly file: string | null; readonly id: string | null }[];
  } | null;
}

/** What an index says of a guide's file. */
export interface BundleRow {
  readonly path: string;
  readonly id: string | null;
  /** The name of the category that lists it; null: a manifest does. */
  readonly category: string | null;
}
