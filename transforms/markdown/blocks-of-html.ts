import type { Html } from "mdast";
import { fromHtml } from "../html/from-html.js";
import type { Block, Page } from "../wiki/tree.js";
import { placeOf, type Reading } from "./reading.js";

/** What HTML in Markdown is read as; its issues get the place of the whole piece. */
export function blocksOfHtml(node: Html, reading: Reading): readonly Block[] {
  const { tree, issues } = fromHtml(node.value, { context: "page" });
  for (const issue of issues) reading.issues.push({ ...issue, ...placeOf(node) });
  return (tree as Page).children; // What is read as a page is one.
}
