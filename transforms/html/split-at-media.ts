import type { GuideList, Image, Inline, Video } from "../wiki/tree.js";

/** A stretch of words, or media that stand between them. */
export type Piece = readonly Inline[] | Image | Video | GuideList;

/** Cuts inlines where an image, a video or a list of guides stands: HTML forbids the boxes that show them inside of a paragraph. */
export function splitAtMedia(inlines: readonly Inline[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let words: Inline[] = [];
  for (const inline of inlines) {
    if (inline.type === "image" || inline.type === "video" || inline.type === "guideList") {
      pieces.push(words, inline);
      words = [];
    } else words.push(inline);
  }
  return [...pieces, words].filter((piece) => !isWords(piece) || piece.some(showsSomething));
}

/** Whether a piece is words. */
export function isWords(piece: Piece): piece is readonly Inline[] {
  return !("type" in piece);
}

function showsSomething(inline: Inline): boolean {
  return inline.type !== "text" || inline.value.trim() !== "";
}
