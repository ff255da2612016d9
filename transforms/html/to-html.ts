import type { Tree } from "../wiki/tree.js";
import { createResolver, type Resolver } from "./resolver.js";
import { renderBlocks } from "./site/render-blocks.js";
import { renderInlines } from "./site/render-inlines.js";

/**
 * A text as a modern Dozuki site renders it: `text_rendered` of a step line, `introduction_rendered`, `contents_rendered`
 * of a page (wiki-syntax 2 and 3). What is shown is the same as there; addresses need `resolver`, and are made of the ids
 * where it knows nothing. Shapes that no public material shows are chosen: see the README of this folder.
 */
export function toHtml(tree: Tree, resolver: Resolver = createResolver()): string {
  if (tree.type === "page") return renderBlocks(tree.children, { resolver, boxes: true });
  return renderInlines(tree.children, { resolver, boxes: false });
}
