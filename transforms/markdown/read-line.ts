import type { PhrasingContent } from "mdast";
import { text } from "../wiki/build-inlines.js";
import type { Inline } from "../wiki/tree.js";
import { readInlines } from "./read-inlines.js";
import type { Reading } from "./reading.js";

/** Running text on one line: a line end of Markdown is a blank, and one in wiki text would end a heading or an item. */
export function readLine(nodes: readonly PhrasingContent[], reading: Reading): readonly Inline[] {
  return readInlines(nodes, reading).map(onOneLine);
}

/** An inline without line ends. */
export function onOneLine(inline: Inline): Inline {
  if (inline.type === "text") return text(inline.value.replaceAll("\n", " "));
  return "children" in inline ? { ...inline, children: inline.children.map(onOneLine) } : inline;
}
