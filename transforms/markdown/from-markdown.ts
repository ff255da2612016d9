import type { Root } from "mdast";
import { isBlank } from "../settle/blanks.js";
import type { Draft, Tell } from "../settle/draft.js";
import { settleLine, settlePage } from "../settle/settle.js";
import type { Line, Page, TextContext, TextIssue, Tree } from "../wiki/tree.js";
import { isCostly, MOST_LINES } from "./is-costly.js";
import { lineOf } from "./line-of.js";
import { parseMarkdown } from "./parse-markdown.js";
import { readBlock } from "./read-blocks.js";
import { onOneLine } from "./read-line.js";
import { type Flow, type Reading, readingOf, tellAt } from "./reading.js";

export interface FromMarkdownOptions<Context extends TextContext = TextContext> {
  /** `page` for introductions, conclusions, wikis, comments; `line` for a line of a step, which holds no blocks. */
  readonly context: Context;
}

export interface FromMarkdown<Result extends Tree = Tree> {
  readonly tree: Result;
  /** What wiki text cannot say, and what was changed so that it says what the Markdown says; places are those of the Markdown. */
  readonly issues: readonly TextIssue[];
}

/**
 * The wiki text of Markdown (CommonMark with GFM). Whatever `toMarkdown` writes becomes what it was written from; of Markdown
 * from elsewhere everything that wiki text cannot say is reported, and its words are kept (see the table in the README).
 */
export function fromMarkdown(markdown: string, options: FromMarkdownOptions<"page">): FromMarkdown<Page>;
export function fromMarkdown(markdown: string, options: FromMarkdownOptions<"line">): FromMarkdown<Line>;
export function fromMarkdown(markdown: string, options: FromMarkdownOptions): FromMarkdown;
export function fromMarkdown(markdown: string, { context }: FromMarkdownOptions): FromMarkdown {
  const { drafts, tell, issues } = readDrafts(markdown, context);
  if (context === "page") return { tree: settlePage(drafts, tell), issues };
  const words = lineOf(
    drafts.map(({ block }) => block),
    tell,
  );
  return { tree: settleLine(words.map(onOneLine), tell), issues };
}

interface Drafts extends Pick<Reading, "issues"> {
  readonly drafts: readonly Draft[];
  /** Reports on the whole text. */
  readonly tell: Tell;
}

/** In a function of its own: behind it nothing holds the syntax tree any more. */
function readDrafts(markdown: string, context: TextContext): Drafts {
  const costly = isCostly(markdown);
  const root = costly ? plainText(markdown) : parseMarkdown(markdown);
  const reading = readingOf(root, context);
  const tell = tellAt(reading, root);
  if (costly) tell("markdown-too-deep", "error", TOO_DEEP);
  const drafts = (root.children as Flow[]).flatMap((node): readonly Draft[] => {
    const tellHere = tellAt(reading, node);
    return readBlock(node, reading).map((block) => ({ block, tell: tellHere }));
  });
  return { drafts, tell, issues: reading.issues };
}

const TOO_DEEP =
  "The Markdown nests deeper, or has more marks in one paragraph, than can be read, or more than " +
  `${MOST_LINES} lines in one list, quote, table or code block; it is taken as plain text.`;

/** Text without markup as a syntax tree: paragraphs between blank lines. */
function plainText(text: string): Root {
  const paragraphs = text.split(/\n[ \t]*\n/).filter((value) => !isBlank(value));
  return {
    type: "root",
    children: paragraphs.map((value) => ({ type: "paragraph", children: [{ type: "text", value }] })),
  };
}
