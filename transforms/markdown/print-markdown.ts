import type { RootContent } from "mdast";
import { gfmToMarkdown } from "mdast-util-gfm";
import { type Options, toMarkdown } from "mdast-util-to-markdown";

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
  return children.length > 0 ? toMarkdown({ type: "root", children }, OPTIONS) : "";
}
