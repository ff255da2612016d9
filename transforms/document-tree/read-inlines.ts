import type { Leaf } from "../settle/leaf.js";
import { trimBlanks } from "../settle/split-edges.js";
import type { Inline } from "../wiki/tree.js";
import { macrosInTexts } from "./macros-in-texts.js";
import { nestLeaves } from "./nest-leaves.js";
import type { Spot } from "./reading.js";
import { tidyLinks } from "./tidy-links.js";

/** Leaves as inlines, with the macros that stand in their texts. */
export function inlinesOf(leaves: readonly Leaf[], spot: Spot): readonly Inline[] {
  return nestLeaves(tidyLinks(macrosInTexts(trimBlanks(leaves)), spot));
}

/** The same on one line: a line end inside would end a heading or an item. */
export function lineInlinesOf(leaves: readonly Leaf[], spot: Spot): readonly Inline[] {
  return inlinesOf(leaves.map(onOneLine), spot);
}

function onOneLine(leaf: Leaf): Leaf {
  return leaf.type === "text" ? { ...leaf, value: leaf.value.replaceAll(/[ \t]*\n[ \t\n]*/g, " ") } : leaf;
}
