import { closers, openers } from "./marks.js";
import type { Token } from "./token.js";

/** A part of a text that renders as it did inside the whole. */
export interface Piece {
  readonly text: string;
  /** The token that the next piece begins with; their count, when nothing is left. */
  readonly next: number;
}

/** A place where one would like to cut: before the token at an index. */
export interface Wish {
  readonly at: (tokens: readonly Token[], index: number) => boolean;
  /** Only in the second half of what fits: a piece of three words before a long one helps nobody. */
  readonly late: boolean;
}

/**
 * The longest piece from a token on that fits, cut at the first wish that can be met; undefined when none can.
 * No token is cut; marks that stand open at a cut are closed there and opened again by the next piece:
 *
 *     '''all of | this'''  gives  '''all of'''  and  '''this'''
 */
export function nextPiece(
  tokens: readonly Token[],
  from: number,
  fits: (piece: string) => boolean,
  wishes: readonly Wish[],
): Piece | undefined {
  const { fitting, isWhole } = fittingCuts(tokens, from, fits);
  if (isWhole) return pieceOf(tokens, from, tokens.length);
  const half = from + ((fitting.at(-1) ?? from) - from) / 2;
  for (const wish of wishes) {
    const cut = fitting.findLast((index) => (!wish.late || index >= half) && wish.at(tokens, index));
    if (cut !== undefined) return pieceOf(tokens, from, cut);
  }
  return undefined;
}

/** What is left from a token on, with the marks opened again that stand open there. */
export function restFrom(tokens: readonly Token[], from: number): string {
  return pieceOf(tokens, from, tokens.length).text;
}

/** The tokens of a range, without the spaces at its ends. */
function pieceOf(tokens: readonly Token[], from: number, to: number): Piece {
  const start = skipSpaces(tokens, from);
  let end = to;
  while (end > start && tokens[end - 1]?.kind === "space") end -= 1;
  const inner = tokens.slice(start, end).map((token) => token.text);
  return {
    text: [openers(tokens[start]?.open ?? []), ...inner, closers(tokens[end]?.open ?? [])].join(""),
    next: skipSpaces(tokens, to),
  };
}

/** The first token from an index on that is no space. */
export function skipSpaces(tokens: readonly Token[], from: number): number {
  let index = from;
  while (tokens[index]?.kind === "space") index += 1;
  return index;
}

/** A cut inside of a character, behind an opening marker or before a closing one changes the text. */
function mayCut(tokens: readonly Token[], index: number): boolean {
  const left = tokens[index - 1];
  const here = tokens[index];
  if (left === undefined || here === undefined) return false;
  if (left.kind === "space" || here.begins === "nothing" || left.opens.length > 0) return false;
  const right = tokens[skipSpaces(tokens, index)];
  if (right === undefined || right.closes.length > 0) return false;
  return (
    !runsInto(left, left.text.at(-1), closers(here.open).at(0)) &&
    !runsInto(right, right.text[0], openers(here.open).at(-1))
  );
}

/** Would a sign of the text become part of the marker that is put beside it? A literal quote would, before three others. */
function runsInto(token: Token, sign: string | undefined, marker: string | undefined): boolean {
  return token.kind === "text" && sign === marker;
}

/** Behind this many tokens no piece that is too long can fit again: what closes marks is shorter. */
const CLOSERS = 32;

/**
 * The cuts from a token on whose piece fits, or all that is left if that fits. Looks only about twice as far as the
 * longest piece that fits, so that dividing a text takes time in proportion to its length.
 */
function fittingCuts(
  tokens: readonly Token[],
  from: number,
  fits: (piece: string) => boolean,
): { readonly fitting: readonly number[]; readonly isWhole: boolean } {
  const cuts: number[] = [];
  let tooLong = tokens.length;
  for (let index = from + 1, probe = 1; index < tokens.length; index += 1) {
    if (!mayCut(tokens, index)) continue;
    cuts.push(index);
    if (cuts.length < probe) continue;
    probe *= 2;
    if (fits(pieceOf(tokens, from, index).text)) continue;
    tooLong = index;
    break;
  }
  const mayFit = wordsBehind(tokens, tooLong) <= CLOSERS;
  if (mayFit && fits(pieceOf(tokens, from, tokens.length).text)) return { fitting: [], isWhole: true };
  return {
    fitting: cuts.slice(
      0,
      countFitting(cuts, (index) => fits(pieceOf(tokens, from, index).text)),
    ),
    isWhole: false,
  };
}

/** The tokens from an index on that are no space; not counted further than matters. */
function wordsBehind(tokens: readonly Token[], from: number): number {
  let count = 0;
  for (let index = from; index < tokens.length && count <= CLOSERS; index += 1) {
    if (tokens[index]?.kind !== "space") count += 1;
  }
  return count;
}

/** How many of the cuts fit: a text grows with each, so half of them need not be asked. */
function countFitting(cuts: readonly number[], fits: (index: number) => boolean): number {
  let fitting = 0;
  let beyond = cuts.length;
  while (fitting < beyond) {
    const middle = Math.floor((fitting + beyond) / 2);
    if (cuts.slice(middle, middle + 1).every(fits)) fitting = middle + 1;
    else beyond = middle;
  }
  return fitting;
}
