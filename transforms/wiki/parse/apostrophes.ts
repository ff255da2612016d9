import { closeMark, type Marker, openMark, type Pairing } from "./pairing.js";
import { report } from "./source.js";

const ITALIC = 2;
const BOLD = 3;
const BOTH = ITALIC + BOLD;
const EMPTY_BOLD = BOLD + BOLD;

/**
 * Reads a run of apostrophes: it closes what is open, then opens with what is left. Four are an apostrophe and bold, six an
 * empty bold (advice of wiki-syntax 7).
 */
export function readApostrophes(pairing: Pairing, start: number, end: number): void {
  const length = end - start;
  if (length > BOLD && length !== BOTH) report(pairing.source, "ambiguous-apostrophes", start, end);
  let at = start;
  while (end - at >= ITALIC) at = step(pairing, at, end - at);
}

/** Reads three apostrophes as italic and an apostrophe, which stands outside of the italic. */
export function readAsItalic(pairing: Pairing, start: number): void {
  report(pairing.source, "ambiguous-apostrophes", start, start + BOLD);
  const italic = pairing.open.get("emphasis");
  if (italic === undefined) openMark(pairing, "emphasis", start + 1, start + BOLD);
  else closeMark(pairing, italic, start, start + ITALIC);
}

function step(pairing: Pairing, at: number, left: number): number {
  const bold = pairing.open.get("strong");
  const italic = pairing.open.get("emphasis");
  if (bold !== undefined && italic !== undefined) return stepInBoth(pairing, bold, italic, at, left);
  if (bold !== undefined && left >= BOLD) return closeMark(pairing, bold, at, at + BOLD);
  if (italic !== undefined && left !== BOLD) return closeMark(pairing, italic, at, at + ITALIC);
  return open(pairing, at, left);
}

function stepInBoth(pairing: Pairing, bold: Marker, italic: Marker, at: number, left: number): number {
  if (pairing.twins >= 0 && left < BOTH) settleTwins(pairing, bold, italic, left);
  pairing.twins = -1;
  if (left === ITALIC) return closeMark(pairing, italic, at, at + ITALIC);
  if (left < BOTH) return closeMark(pairing, bold, at, at + BOLD);
  const boldIsInner = bold.start > italic.start;
  const middle = closeMark(pairing, boldIsInner ? bold : italic, at, at + (boldIsInner ? BOLD : ITALIC));
  return closeMark(pairing, boldIsInner ? italic : bold, middle, at + BOTH);
}

/** The mark that is closed first is the inner one: bold, as they were opened, or italic. */
function settleTwins({ source, pieces, twins }: Pairing, bold: Marker, italic: Marker, left: number): void {
  report(source, "nested-apostrophes", italic.start, bold.end);
  if (left !== ITALIC) return;
  bold.start = italic.start;
  bold.end = bold.start + BOLD;
  italic.start = bold.end;
  italic.end = italic.start + ITALIC;
  pieces[twins] = bold;
  pieces[twins + 1] = italic;
}

/** Opens what a run of this length opens. Of a longer one the first apostrophes are text: nothing would tell how to pair them. */
function open(pairing: Pairing, at: number, left: number): number {
  if (left === ITALIC) return openMark(pairing, "emphasis", at, at + ITALIC);
  if (left === BOLD || left === EMPTY_BOLD) return openMark(pairing, "strong", at, at + BOLD);
  if (left !== BOTH) return at + (left > BOTH ? left - BOTH : 1);
  pairing.twins = pairing.pieces.length;
  return openMark(pairing, "strong", openMark(pairing, "emphasis", at, at + ITALIC), at + BOTH);
}
