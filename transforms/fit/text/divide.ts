import { nextPiece, restFrom, skipSpaces } from "./next-piece.js";
import type { Token } from "./token.js";
import { TEXT_WISHES } from "./wishes.js";

/** A text in parts that all fit, or up to a token that alone is too long. */
export interface Division {
  readonly pieces: readonly string[];
  /** What begins with something that can't be divided and is too long alone; empty when all fits. */
  readonly stuck: string;
}

/** Divides text into as few parts as its sentences and words allow, each of which fits. */
export function divide(tokens: readonly Token[], fits: (piece: string) => boolean): Division {
  const pieces: string[] = [];
  for (let from = skipSpaces(tokens, 0); from < tokens.length; ) {
    const piece = nextPiece(tokens, from, fits, TEXT_WISHES);
    if (piece === undefined) return { pieces, stuck: restFrom(tokens, from) };
    pieces.push(piece.text);
    from = piece.next;
  }
  return { pieces, stuck: "" };
}
