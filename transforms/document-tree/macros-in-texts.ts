import { inlinesIn } from "../settle/inlines-in.js";
import type { Leaf, TextLeaf } from "../settle/leaf.js";
import { leavesOf } from "../settle/leaves-of.js";
import { parse } from "../wiki/parse.js";
import type { Inline, Position } from "../wiki/tree.js";

/**
 * Finds the macros in the texts of a document tree. The site has no nodes for links by reference, for videos and more, and keeps
 * their source as text (wiki-syntax 4.2); so a macro with a keyword in a text is that macro, by whatever way it came there. All
 * other markup in a text is text that only looks so. The label of a link holds no macros.
 */
export function macrosInTexts(leaves: readonly Leaf[]): readonly Leaf[] {
  return leaves.flatMap((leaf) => {
    const closed = leaf.type !== "text" || leaf.marks.some(({ type }) => type === "link") || !leaf.value.includes("[");
    return closed ? [leaf] : takeApart(leaf);
  });
}

/** Stands before the text so that it begins no block. */
const GUARD = "x";

function takeApart(leaf: TextLeaf): readonly Leaf[] {
  const { value, marks } = leaf;
  // Line ends as blanks: no block begins inside of the text either, and positions stay.
  const { tree } = parse(GUARD + value.replaceAll("\n", " "), { context: "page" });
  const leaves: Leaf[] = [];
  let done = 0;
  for (const macro of inlinesIn(tree.children).flatMap(macrosIn)) {
    const { start, end } = macro.position as Position; // The parser always sets it.
    leaves.push({ ...leaf, value: value.slice(done, start - GUARD.length) }, ...leavesOf([macro], marks));
    done = end - GUARD.length;
  }
  return [...leaves, { ...leaf, value: value.slice(done) }].filter((each) => each.type !== "text" || each.value !== "");
}

/** Macros with a keyword, also under marks that are only text here. */
function macrosIn(inline: Inline): readonly Inline[] {
  if (inline.type === "text" || inline.type === "opaque") return [];
  if (inline.type === "link") return KEYWORD.test(inline.open) ? [inline] : [];
  return "children" in inline ? inline.children.flatMap(macrosIn) : [inline];
}

const KEYWORD = /^\[(?:\[|\s*[a-z_]+\s*\|)/i;
