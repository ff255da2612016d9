import type { Line } from "../../src/model/guide.js";

/** A piece of a page, in the order in which it is read. */
export type PageBlock =
  /** 1: the page's title. */
  | { readonly type: "heading"; readonly level: 1 | 2; readonly words: string }
  /** Plain words, a paragraph. */
  | { readonly type: "words"; readonly words: string }
  /** Wiki syntax, a text with blocks. */
  | { readonly type: "text"; readonly wiki: string }
  /** Lines of a step. */
  | { readonly type: "lines"; readonly lines: readonly Line[] }
  /** Plain words, a list. */
  | { readonly type: "facts"; readonly facts: readonly string[] }
  | { readonly type: "image"; readonly name: string; readonly address: string }
  /** A video or document: pages show where it lies. */
  | { readonly type: "file"; readonly name: string; readonly address: string };
