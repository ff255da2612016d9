import type { Root } from "hast";
import { fromHtml as parse } from "hast-util-from-html";
import { SKIPPED } from "./elements.js";
import { type LeftOut, nestTags } from "./nest-tags.js";
import { readTags } from "./read-tags.js";

export interface ParsedHtml {
  readonly root: Root;
  readonly leftOut: readonly LeftOut[];
}

/**
 * HTML as a tree. Any string is read, and in time in proportion to its length: the standard's own way of building the tree
 * takes squared time, or overflows the stack, for HTML that was written to do so, so that tags are put in order before.
 */
export function parseHtml(html: string): ParsedHtml {
  const nested = nestTags(readTags(html, SKIPPED));
  return { root: parse(nested.html, { fragment: true }), leftOut: nested.leftOut };
}
