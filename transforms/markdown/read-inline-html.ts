import type { Html } from "mdast";
import { inlinesIn } from "../settle/inlines-in.js";
import { lineBreak, text } from "../wiki/build-inlines.js";
import type { Inline } from "../wiki/tree.js";
import { blocksOfHtml } from "./blocks-of-html.js";
import { readTag } from "./inline-tags.js";
import { DIVIDER } from "./raw-wiki.js";
import { type Reading, tellAt } from "./reading.js";

/** Elements that only style, mark up or group what is in them. */
const GROUPING = new Set(
  "a abbr acronym bdi bdo big center cite data dfn div font label mark p q samp small span time var wbr".split(" "),
);

/** A tag, or another piece of HTML in running text, that no mark was made of. */
export function readInlineHtml(node: Html, reading: Reading): readonly Inline[] {
  const { value } = node;
  if (value === DIVIDER) return [];
  const tag = readTag(value);
  if (tag?.name === "br") return [lineBreak()];
  const tell = tellAt(reading, node);
  if (tag?.name === "img") return inlinesIn(blocksOfHtml(node, reading));
  const leftOut = tag === undefined || GROUPING.has(tag.name);
  const fate = leftOut ? "the tag is left out" : "it is kept as text";
  tell("raw-html", "loss", `Wiki text has nothing for ${value}; ${fate}.`);
  return leftOut ? [] : [text(value)];
}
