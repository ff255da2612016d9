import { closers, endsBlock, isLineEnd, openers, type Token } from "./tokenize.js";

export const ELLIPSIS = "…";

export interface Shortened {
  /** Ends with an ellipsis, which counts. */
  readonly text: string;
  readonly cut: string;
}

/** Cuts at a sentence or word. */
export function shorten(text: string, tokens: readonly Token[], fits: (piece: string) => boolean): Shortened {
  const head = nextPiece(tokens, 0, (piece) => fits(`${piece} ${ELLIPSIS}`), TEXT_CUTS);
  if (head === undefined) return { text: ELLIPSIS, cut: text };
  return { text: `${head.text} ${ELLIPSIS}`, cut: text.slice(tokens[head.next]?.at) };
}

/** Parts that all fit, up to a token that is too long. */
interface Division {
  readonly pieces: readonly string[];
  /** The rest from a token that is too long and can't be divided; empty when all fits. */
  readonly stuck: string;
}

export function divide(tokens: readonly Token[], fits: (piece: string) => boolean): Division {
  const pieces: string[] = [];
  for (let from = skipSpaces(tokens, 0); from < tokens.length; ) {
    const piece = nextPiece(tokens, from, fits, TEXT_CUTS);
    if (piece === undefined) return { pieces, stuck: restFrom(tokens, from) };
    pieces.push(piece.text);
    from = piece.next;
  }
  return { pieces, stuck: "" };
}

/** A part of a text that renders as it does within the whole. */
export interface Piece {
  readonly text: string;
  /** The index of the next token; the number of tokens at the end. */
  readonly next: number;
}

/** Cuts before the token at an index. */
interface CutPreference {
  readonly at: (tokens: readonly Token[], index: number) => boolean;
  /** Only in the second half of what fits, which avoids very short pieces. */
  readonly late: boolean;
}

/**
 * The longest fitting piece, cut by the first preference that can be met; undefined: none. Marks
 * that are open at a cut are closed there and reopened by the next piece: `'''all of this'''` gives
 * `'''all of'''` and `'''this'''`.
 */
export function nextPiece(
  tokens: readonly Token[],
  from: number,
  fits: (piece: string) => boolean,
  preferences: readonly CutPreference[],
): Piece | undefined {
  const { fitting, isWhole } = fittingCuts(tokens, from, fits);
  if (isWhole) return pieceOf(tokens, from, tokens.length);
  const half = from + ((fitting.at(-1) ?? from) - from) / 2;
  for (const preference of preferences) {
    const cut = fitting.findLast((index) => (!preference.late || index >= half) && preference.at(tokens, index));
    if (cut !== undefined) return pieceOf(tokens, from, cut);
  }
  return undefined;
}

export function restFrom(tokens: readonly Token[], from: number): string {
  return pieceOf(tokens, from, tokens.length).text;
}

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

function skipSpaces(tokens: readonly Token[], from: number): number {
  let index = from;
  while (tokens[index]?.kind === "space") index += 1;
  return index;
}

/** A cut within a character or next to a mark's inner side would change the text. */
function mayCut(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1];
  const here = tokens[index];
  if (before === undefined || here === undefined) return false;
  if (before.kind === "space" || here.begins === "nothing" || before.opens.length > 0) return false;
  const after = tokens[skipSpaces(tokens, index)];
  if (after === undefined || after.closes.length > 0) return false;
  return (
    !runsInto(before, before.text.at(-1), closers(here.open).at(0)) &&
    !runsInto(after, after.text[0], openers(here.open).at(-1))
  );
}

/** Whether a character would merge with the marker, as a literal quote before three others. */
function runsInto(token: Token, sign: string | undefined, marker: string | undefined): boolean {
  return token.kind === "text" && sign === marker;
}

/** Closing marks are shorter than this many tokens, so no longer piece can fit. */
const CLOSERS = 32;

/** All cuts that fit. Looks only twice as far as the longest piece: division stays linear. */
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

/** Counts tokens that are no space, up to a bound. */
function wordsBehind(tokens: readonly Token[], from: number): number {
  let count = 0;
  for (let index = from; index < tokens.length && count <= CLOSERS; index += 1) {
    if (tokens[index]?.kind !== "space") count += 1;
  }
  return count;
}

/** A binary search, since each cut makes a longer text. */
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

const UNSPACED = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Mymr}]/u;

/** For lines: a sentence, a space, else a word or character of writing without spaces. */
export const TEXT_CUTS: readonly CutPreference[] = [
  { at: endsSentence, late: true },
  { at: isSpace, late: true },
  { at: beginsUnspacedWord, late: true },
  { at: isSpace, late: false },
  { at: beginsWord, late: false },
  { at: () => true, late: false },
];

/** For blocks: a blank line, a list item, else any line end. */
export const BLOCK_CUTS: readonly CutPreference[] = [
  { at: isBlankLine, late: true },
  { at: isBlockEnd, late: false },
  { at: hasLineEnd, late: false },
];

/** Bounds the search after a full stop. */
const MOST_CLOSING = 16;

/** Includes closing quotes and markers. */
function endsSentence(tokens: readonly Token[], index: number): boolean {
  let last = index - 1;
  while (last > 0 && index - last <= MOST_CLOSING && isClosing(tokens[last])) last -= 1;
  if (matches(tokens[last], /^[。！？]$/)) return true;
  const follows = tokens[skipSpaces(tokens, index)];
  return matches(tokens[last], /^[.!?…]$/) && isSpace(tokens, index) && !matches(follows, /^\p{Ll}/u);
}

function isClosing(token: Token | undefined): boolean {
  return token?.kind === "mark" || matches(token, /^["'”’»)\]]$/);
}

/** No-break spaces do not end a line: `5 mm` stays together. */
function isSpace(tokens: readonly Token[], index: number): boolean {
  return tokens[index]?.kind === "space" && !matches(tokens[index], /[\u00a0\u202f]/);
}

function beginsUnspacedWord(tokens: readonly Token[], index: number): boolean {
  return beginsWord(tokens, index) && matches(tokens[index], UNSPACED);
}

function beginsWord(tokens: readonly Token[], index: number): boolean {
  return tokens[index]?.begins === "word";
}

function matches(token: Token | undefined, expression: RegExp): boolean {
  return token !== undefined && expression.test(token.text);
}

function isBlankLine(tokens: readonly Token[], index: number): boolean {
  return lineEnds(tokens, index).length > 1;
}

function isBlockEnd(tokens: readonly Token[], index: number): boolean {
  return lineEnds(tokens, index).some((end) => endsBlock(tokens, end));
}

function hasLineEnd(tokens: readonly Token[], index: number): boolean {
  return lineEnds(tokens, index).length > 0;
}

function lineEnds(tokens: readonly Token[], index: number): readonly number[] {
  const ends: number[] = [];
  const next = skipSpaces(tokens, index);
  for (let end = index; end < next; end += 1) if (isLineEnd(tokens[end])) ends.push(end);
  return ends;
}

/** Enough to find the text again. */
const SHOWN = 80;

/** The first 80 characters on one line, in quotation marks. */
export function excerpt(text: string): string {
  const characters = [...text.trim().replace(/\s+/g, " ")];
  return `"${characters.slice(0, SHOWN).join("")}${characters.length > SHOWN ? "…" : ""}"`;
}
