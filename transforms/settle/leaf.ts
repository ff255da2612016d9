import type { GuideList, Image, Link, MarkType, Video } from "../wiki/tree.js";

/**
 * Running text with its marks spread over it, instead of marks that hold text: the form in which two texts can be compared
 * and in which document trees are kept.
 */
export type Leaf = TextLeaf | BreakLeaf | ImageLeaf | MacroLeaf;

/** What lies over a leaf. */
export type LeafMark = Readonly<{ type: MarkType }> | LinkMark;

/** A link to an address; the other kinds of links have no form in a document tree and are macros. */
export interface LinkMark {
  readonly type: "link";
  readonly href: string;
  readonly newWindow: boolean;
}

interface Marked {
  /** Outermost first, each type once. */
  readonly marks: readonly LeafMark[];
}

export interface TextLeaf extends Marked {
  readonly type: "text";
  readonly value: string;
}

export interface BreakLeaf extends Marked {
  readonly type: "break";
}

export interface ImageLeaf extends Marked {
  readonly type: "image";
  readonly id: string;
  /** As written, without blanks: `align`, `size`. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** What only the wiki syntax can say: a link by reference, a bare address, a video, a list of guides. */
export interface MacroLeaf extends Marked {
  readonly type: "macro";
  readonly node: Link | Image | Video | GuideList;
}

/** Whether two marks are the same, so that one stretch can carry both. */
export function sameMark(one: LeafMark, other: LeafMark): boolean {
  if (one.type !== "link" || other.type !== "link") return one.type === other.type;
  return one.href === other.href && one.newWindow === other.newWindow;
}

/** Whether two leaves lie under the same marks, in whatever order. */
export function sameMarks(one: readonly LeafMark[], other: readonly LeafMark[]): boolean {
  return one.length === other.length && one.every((mark) => other.some((each) => sameMark(mark, each)));
}

/** Neighbouring texts under the same marks joined. */
export function joinTexts<L extends Leaf>(leaves: readonly L[]): readonly L[] {
  const joined: L[] = [];
  for (const leaf of leaves) {
    const last = joined.at(-1);
    const joins = leaf.type === "text" && last?.type === "text" && sameMarks(last.marks, leaf.marks);
    if (joins) joined[joined.length - 1] = { ...last, value: last.value + leaf.value };
    else joined.push(leaf);
  }
  return joined;
}
