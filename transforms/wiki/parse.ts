import { readBlocks } from "./parse/blocks.js";
import { readLine } from "./parse/line.js";
import { sourceOf } from "./parse/source.js";
import type { Line, Page, TextContext, TextIssue, Tree } from "./tree.js";

export interface ParseOptions<Context extends TextContext = TextContext> {
  /** `page` for introductions, conclusions, wikis, comments; `line` for a line of a step, which holds no blocks. */
  readonly context: Context;
}

export interface Parsed<Result extends Tree = Tree> {
  readonly tree: Result;
  /** Every place that has another reading, in the order in which it was met (wiki-syntax 7). */
  readonly issues: readonly TextIssue[];
}

/**
 * Reads wiki text. Every string has a tree, nothing is thrown, and `print(tree)` is the text again. What the syntax does not
 * know is text, or an opaque node when it looks like a macro.
 *
 * Takes time in proportion to the text. Nesting is bounded by the syntax: a mark holds none of its own kind (7 deep), links and
 * quotes hold none of theirs, and lists count as at most `DEEPEST_LIST` deep, however long their markers are.
 */
export function parse(text: string, options: ParseOptions<"page">): Parsed<Page>;
export function parse(text: string, options: ParseOptions<"line">): Parsed<Line>;
export function parse(text: string, options: ParseOptions): Parsed;
export function parse(text: string, { context }: ParseOptions): Parsed {
  const source = sourceOf(text, context);
  const tree = context === "line" ? readLine(source) : readPage(text, source);
  return { tree, issues: source.issues };
}

function readPage(text: string, source: ReturnType<typeof sourceOf>): Page {
  const { blocks, end } = readBlocks(source, { start: 0, end: text.length, quoted: false });
  return { type: "page", children: blocks, after: text.slice(end), position: { start: 0, end: text.length } };
}
