import { inlinesIn } from "../settle/inlines-in.js";
import { parse } from "../wiki/parse.js";
import type { Inline, TextContext } from "../wiki/tree.js";

/** Wiki text as inlines: what stands in Markdown as the wiki text that it is. */
export function rawInlines(source: string, context: TextContext): readonly Inline[] {
  if (context === "line") return parse(source, { context }).tree.children;
  return inlinesIn(parse(source, { context: "page" }).tree.children);
}
