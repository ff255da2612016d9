import type { Block } from "./tree-blocks.js";
import type { Inline, Position } from "./tree-inlines.js";

/** `page`: introductions, conclusions, wikis, comments. `line`: a line of a step, which holds no blocks (wiki-syntax 1). */
export type TextContext = "page" | "line";
export type * from "./tree-blocks.js";
export type * from "./tree-inlines.js";

/*
 * The concrete syntax tree of the wiki syntax. Every character of the source stands in exactly one string field of exactly one
 * node, and the fields stand in the order in which they are written, so that printing is joining them. Nothing keeps a copy of
 * the source: an edited node prints its new text, all others the bytes that they were read from.
 *
 * Optional strings (`before`, `after`, `marker`) are spacing that depends on the neighbours: the parser always sets them, a
 * builder leaves them out, and `print` then writes what fits there. All other strings have their defaults in `build.ts`.
 */

export type Tree = Page | Line;

/** The text of an introduction, a conclusion, a wiki, a comment. */
export interface Page {
  readonly type: "page";
  readonly children: readonly Block[];
  /** Blank lines and blanks at the end of the text. */
  readonly after?: string;
  readonly position?: Position;
}

/** The text of a step line. */
export interface Line {
  readonly type: "line";
  readonly children: readonly Inline[];
  readonly position?: Position;
}

/**
 * What a reader or converter of a text has to tell; the caller adds the item's key and path.
 * `note`: another reading is possible. `loss`: something could not be carried. `error`: could not be taken.
 */
export interface TextIssue {
  /** Stable, kebab-case: `unpaired-mark`. */
  readonly code: string;
  readonly level: "note" | "loss" | "error";
  /** One sentence: what, and how it was read. */
  readonly message: string;
  /** UTF-16 offsets into the text that was read. */
  readonly start: number;
  readonly end: number;
}
