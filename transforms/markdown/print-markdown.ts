import type { RootContent } from "mdast";
import { gfmToMarkdown } from "mdast-util-gfm";
import { type Options, toMarkdown } from "mdast-util-to-markdown";
import { printPlain } from "./plain-blocks.js";

/** As people write it: `-` before items, one blank behind it, stars around marks, fences around code. */
const OPTIONS: Options = {
  extensions: [gfmToMarkdown()],
  bullet: "-",
  emphasis: "*",
  fences: true,
  listItemIndent: "one",
};

/** Markdown text; "" for no blocks. */
export function printMarkdown(children: RootContent[]): string {
  return children.length > 0 ? (printPlain(children) ?? printAny(children)) : "";
}

/** The same by way of the printer, whatever the blocks are. */
export function printAny(children: RootContent[]): string {
  return toMarkdown({ type: "root", children }, OPTIONS);
}
