import { readApostrophes, readAsItalic } from "./apostrophes.js";
import { closeMark, openMark, type Pairing, type Piece, pairingOf } from "./pairing.js";
import type { Run, RunKind, Token } from "./scope.js";
import { report, type Source } from "./source.js";

/** Settles which runs open and close marks. Each kind is paired on its own, as the family of this syntax does (wiki-syntax 0.3). */
export function pairMarks(source: Source, tokens: readonly Token[]): readonly Piece[] {
  if (tokens.length === 0) return [];
  const before = source.issues.length;
  const first = pairAll(source, tokens, undefined);
  const odd = oddBold(first, tokens);
  if (odd === undefined) return settled(first);
  source.issues.length = before;
  return settled(pairAll(source, tokens, odd));
}

function pairAll(source: Source, tokens: readonly Token[], asItalic: Run | undefined): Pairing {
  const pairing = pairingOf(source);
  for (const token of tokens) {
    if (token.node !== undefined) pairing.pieces.push(token);
    else if (token === asItalic) readAsItalic(pairing, token.start);
    else if (token.kind === "apostrophes") readApostrophes(pairing, token.start, token.end);
    else pairRun(pairing, token.start, token.end, token.kind);
  }
  return pairing;
}

/**
 * Where both a bold and an italic are left open, the three apostrophes of the bold are the partner that the italic lacks:
 * `''the dogs'''`.
 */
function oddBold({ open }: Pairing, tokens: readonly Token[]): Run | undefined {
  const bold = open.get("strong");
  if (bold === undefined || !open.has("emphasis")) return undefined;
  return tokens.find(
    (token): token is Run => token.node === undefined && token.start === bold.start && token.end === bold.end,
  );
}

const WIDTH = 2;

/** Closes what is open, then opens with what is left; four and more of one mark, where it is not open, are decoration. */
function pairRun(pairing: Pairing, start: number, end: number, kind: Exclude<RunKind, "apostrophes">): void {
  const opener = pairing.open.get(kind);
  let at = opener === undefined ? start : closeMark(pairing, opener, start, start + WIDTH);
  if (end - at === WIDTH || end - at === WIDTH + 1) at = openMark(pairing, kind, at, at + WIDTH);
  if (at < end) report(pairing.source, "marker-run", start, end);
}

/** Only what takes part: an opening marker without a partner is text. */
function settled({ source, pieces, open }: Pairing): readonly Piece[] {
  if (open.size === 0) return pieces;
  for (const { type, start, end } of open.values()) {
    const inchMark =
      type === "emphasis" && pieces.some((piece) => piece.node === undefined && piece.type === type && piece.paired);
    report(source, inchMark ? "odd-italics" : "unpaired-mark", start, end);
  }
  return pieces.filter((piece) => piece.node !== undefined || piece.paired);
}
