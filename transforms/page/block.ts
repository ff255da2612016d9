import type { Line } from "../../src/core/model/guide.js";
import type { FileRole, TextField } from "./marks.js";

/** An entry of a list of plain words, and what is said of it below. */
export interface Fact {
  readonly words: string;
  readonly more: readonly string[];
}

/** A piece of a page, in the order in which it is read. */
export type PageBlock =
  /** 1: the page's title. */
  | { readonly type: "heading"; readonly level: 1 | 2; readonly words: string }
  /** Plain words, a paragraph. */
  | { readonly type: "words"; readonly words: string }
  /** Wiki syntax, a text with blocks. */
  | { readonly type: "text"; readonly field: TextField; readonly wiki: string }
  /** Lines of a step. */
  | { readonly type: "lines"; readonly lines: readonly Line[] }
  /** Plain words, a list. */
  | { readonly type: "facts"; readonly facts: readonly Fact[] }
  /** What a site knows by its id alone, in wiki syntax: its address is not known. */
  | { readonly type: "medium"; readonly wiki: string }
  | { readonly type: "image"; readonly name: string; readonly address: string }
  /** A video or document: pages show where it lies. `id`: a site's, of documents. */
  | {
      readonly type: "file";
      readonly role: FileRole;
      readonly name: string;
      readonly address: string;
      readonly id: number | null;
    };
