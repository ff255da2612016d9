import type { Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { parsePlain } from "./plain-paragraphs.js";
import { TASK_LIST } from "./task-list-extension.js";

/**
 * Without the pass that looks for addresses in finished texts: it would link those that an escape keeps from being links. The
 * parser itself finds the others.
 */
const OPTIONS = {
  extensions: [gfm()],
  mdastExtensions: [...gfmFromMarkdown().map(({ transforms: _, ...extension }) => extension), TASK_LIST],
};

/** CommonMark with GFM as a syntax tree. */
export function parseMarkdown(markdown: string): Root {
  return parsePlain(markdown) ?? parseAny(markdown);
}

/** The same by way of the parser, whatever the text is. */
export function parseAny(markdown: string): Root {
  return fromMarkdown(markdown, OPTIONS);
}
