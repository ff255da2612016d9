import { addressLink } from "../settle/address-link.js";
import { type Leaf, type LeafMark, sameMark } from "../settle/leaf.js";
import { splitEdges } from "../settle/split-edges.js";
import { image, lineBreak, mark, text } from "../wiki/build-inlines.js";
import type { Inline } from "../wiki/tree.js";
import { MARK_ORDER } from "./vocabulary.js";

/**
 * Marks around leaves instead of on them. The mark that lasts longest lies outermost, then the vendor's order decides; blanks
 * and breaks at a mark's edges go outside of it (wiki-syntax 5), so a mark over nothing else vanishes.
 */
export function nestLeaves(leaves: readonly Leaf[]): readonly Inline[] {
  const inlines: Inline[] = [];
  let at = 0;
  for (let first = leaves[at]; first !== undefined; first = leaves[at]) {
    const { outer, end } = longestStretch(leaves, first, at);
    const nested = outer === undefined ? [inlineOf(first)] : nestUnder(outer, leaves.slice(at, end));
    for (const inline of nested) inlines.push(inline);
    at = end;
  }
  return inlines;
}

interface Stretch {
  readonly outer: LeafMark | undefined;
  readonly end: number;
}

/** The mark on the first leaf that reaches farthest, and where it ends. */
function longestStretch(leaves: readonly Leaf[], first: Leaf, at: number): Stretch {
  const ranked = first.marks.toSorted((one, other) => MARK_ORDER.indexOf(one.type) - MARK_ORDER.indexOf(other.type));
  const stretches: readonly Stretch[] = ranked.map((outer) => ({ outer, end: endOf(outer, leaves, at) }));
  const [longest] = stretches.toSorted((one, other) => other.end - one.end);
  return longest ?? { outer: undefined, end: at + 1 };
}

function endOf(outer: LeafMark, leaves: readonly Leaf[], at: number): number {
  let end = at + 1;
  while (leaves[end]?.marks.some((each) => sameMark(each, outer))) end += 1;
  return end;
}

function nestUnder(outer: LeafMark, leaves: readonly Leaf[]): readonly Inline[] {
  const free = leaves.map((leaf) => ({ ...leaf, marks: leaf.marks.filter((each) => !sameMark(each, outer)) }));
  const { before, within, after } = splitEdges(free);
  const children = nestLeaves(within);
  return [...nestLeaves(before), ...(children.length > 0 ? [markOver(outer, children)] : []), ...nestLeaves(after)];
}

function markOver(outer: LeafMark, children: readonly Inline[]): Inline {
  return outer.type === "link" ? addressLink(outer.href, children, outer.newWindow) : mark(outer.type, children);
}

function inlineOf(leaf: Leaf): Inline {
  if (leaf.type === "text") return text(leaf.value);
  if (leaf.type === "break") return lineBreak();
  return leaf.type === "image" ? image(leaf.id, leaf.parameters) : leaf.node;
}
