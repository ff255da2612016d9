import { nextPiece } from "./next-piece.js";
import type { Token } from "./token.js";
import { TEXT_WISHES } from "./wishes.js";

/** Stands for what was cut, and for text that says nothing. */
export const ELLIPSIS = "…";

/** The beginning of a text that was too long. */
export interface Shortened {
  /** With an ellipsis at its end, which is counted. */
  readonly text: string;
  /** The text that was cut, as it stood. */
  readonly cut: string;
}

/** Cuts text at a sentence or word, so that it fits with an ellipsis behind it. */
export function shorten(text: string, tokens: readonly Token[], fits: (piece: string) => boolean): Shortened {
  const head = nextPiece(tokens, 0, (piece) => fits(`${piece} ${ELLIPSIS}`), TEXT_WISHES);
  if (head === undefined) return { text: ELLIPSIS, cut: text };
  return { text: `${head.text} ${ELLIPSIS}`, cut: text.slice(tokens[head.next]?.at) };
}
