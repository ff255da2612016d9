import { isBlank } from "../../settle/blanks.js";
import type { Block, Inline, Link } from "../../wiki/tree.js";

/** The link to an address that is all of a paragraph; undefined for any other block. */
export function linkAlone(block: Block): Link | undefined {
  return block.type === "paragraph" ? onlyLink(block.children) : undefined;
}

/** The link to an address that is all of running text. */
export function onlyLink(inlines: readonly Inline[]): Link | undefined {
  const [only, ...more] = inlines.filter((inline) => inline.type !== "text" || !isBlank(inline.value));
  const isAddress = only?.type === "link" && (only.kind === "url" || only.kind === "bare");
  return isAddress && more.length === 0 ? only : undefined;
}
