import type { PhrasingContent } from "mdast";
import { shapeOf } from "../settle/shape.js";
import { paragraph } from "../wiki/build.js";
import { print } from "../wiki/print.js";
import type { Block, Line, Page, TextIssue, Tree } from "../wiki/tree.js";
import { fromMarkdown } from "./from-markdown.js";
import { printMarkdown } from "./print-markdown.js";
import { RAW_BLOCK } from "./raw-wiki.js";
import { writeBlock, writeRaw } from "./write-blocks.js";
import { rawInline, writeInlines } from "./write-inlines.js";

export interface ToMarkdown {
  readonly markdown: string;
  readonly issues: readonly TextIssue[];
}

/**
 * Markdown (CommonMark with GFM) that `fromMarkdown` reads as the same text. What Markdown has no form for is written in a stated
 * one (see the table in the README); a block that would be read otherwise all the same stands as wiki text in a code block with
 * the language `wiki`, and is told.
 */
export function toMarkdown(tree: Tree): ToMarkdown {
  return tree.type === "page" ? pageToMarkdown(tree) : lineToMarkdown(tree);
}

function pageToMarkdown(tree: Page): ToMarkdown {
  const { children } = tree;
  const plain = printMarkdown(children.flatMap(writeBlock));
  if (readsAs(plain, children)) return { markdown: plain, issues: [] };
  const raw = new Set(children.filter((block) => !readsAs(printMarkdown(writeBlock(block)), [block])));
  const mixed = printMarkdown(children.flatMap((block) => (raw.has(block) ? writeRaw(block) : writeBlock(block))));
  if (readsAs(mixed, children)) return { markdown: mixed, issues: [...raw].map((block) => issue("note", block)) };
  const whole = printMarkdown([{ type: "code", lang: RAW_BLOCK, value: print(tree) }]);
  return { markdown: whole, issues: [issue(readsAs(whole, children) ? "note" : "loss", tree)] };
}

function lineToMarkdown(tree: Line): ToMarkdown {
  const plain = printLine(writeInlines(tree.children));
  if (lineReadsAs(plain, tree)) return { markdown: plain, issues: [] };
  const whole = printLine(rawInline(print(tree)));
  return { markdown: whole, issues: [issue(lineReadsAs(whole, tree) ? "note" : "loss", tree)] };
}

function printLine(children: PhrasingContent[]): string {
  return printMarkdown([{ type: "paragraph", children }]).trimEnd();
}

function readsAs(markdown: string, blocks: readonly Block[]): boolean {
  return shapeOf(fromMarkdown(markdown, { context: "page" }).tree.children) === shapeOf(blocks);
}

function lineReadsAs(markdown: string, { children }: Line): boolean {
  const read = fromMarkdown(markdown, { context: "line" }).tree.children;
  return shapeOf([paragraph(read)]) === shapeOf([paragraph(children)]);
}

const MESSAGES = {
  note: "Markdown has no form for this; it stands in it as wiki text.",
  loss: "Markdown cannot hold this as it is, not even as wiki text: it has characters that Markdown changes.",
} as const;

function issue(level: "note" | "loss", { position }: Block | Tree): TextIssue {
  return { code: "kept-as-wiki", level, message: MESSAGES[level], start: 0, end: 0, ...position };
}
