import type { TextContext, TextIssue } from "../wiki/tree.js";

/** What a conversion knows beside the text. */
export interface Setting {
  readonly context: TextContext;
  /** Scheme and host of the site that the text belongs to; undefined: not known. */
  readonly origin: string | undefined;
}

/** `path` stands where what was read has no offsets: `content[3].content[0]` of a document tree; empty: the whole of it. */
export interface ConvertIssue extends TextIssue {
  readonly path?: string;
}
