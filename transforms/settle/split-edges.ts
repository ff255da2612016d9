import { blanksAtEnd, blanksAtStart, isBlank } from "./blanks.js";
import { joinTexts, type Leaf } from "./leaf.js";

export interface Edges {
  readonly before: readonly Leaf[];
  /** Empty when the stretch shows nothing. */
  readonly within: readonly Leaf[];
  readonly after: readonly Leaf[];
}

/** Blanks and breaks at the beginning and at the end of a stretch, apart from what they surround. */
export function splitEdges(leaves: readonly Leaf[]): Edges {
  const pieces = leaves.flatMap(piecesOf);
  const first = pieces.findIndex(isVisible);
  if (first < 0) return { before: leaves, within: [], after: [] };
  const end = pieces.findLastIndex(isVisible) + 1;
  return { before: pieces.slice(0, first), within: joinTexts(pieces.slice(first, end)), after: pieces.slice(end) };
}

/** Without the blanks at the edges of a block, which no block of wiki text keeps; breaks stay. */
export function trimBlanks(leaves: readonly Leaf[]): readonly Leaf[] {
  const pieces = leaves.flatMap(piecesOf);
  const first = pieces.findIndex(isWritten);
  return joinTexts(pieces.slice(Math.max(first, 0), pieces.findLastIndex(isWritten) + 1));
}

/** Whether a leaf is kept at the edge of a block. */
export function isWritten(leaf: Leaf): boolean {
  return leaf.type === "break" || isVisible(leaf);
}

/** Whether a leaf is more than blank space. */
export function isVisible(leaf: Leaf): boolean {
  return leaf.type === "text" ? !isBlank(leaf.value) : leaf.type !== "break";
}

/** A text as its blanks in front, what it shows, and its blanks behind. */
function piecesOf(leaf: Leaf): readonly Leaf[] {
  if (leaf.type !== "text") return [leaf];
  const start = blanksAtStart(leaf.value);
  const end = Math.max(start, leaf.value.length - blanksAtEnd(leaf.value));
  return [leaf.value.slice(0, start), leaf.value.slice(start, end), leaf.value.slice(end)]
    .filter((value) => value !== "")
    .map((value) => ({ ...leaf, value }));
}
