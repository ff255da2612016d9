import type { MarkType } from "../tree.js";
import { isBlank, skipUnit, UNIT } from "./characters.js";
import {
  type Atom,
  type InlineRule,
  type ReadInline,
  type Run,
  type RunKind,
  report,
  type Scope,
  type Source,
  type Token,
} from "./source.js";

/** By UTF-16 unit; most units begin nothing. */
type InlineRules = readonly (InlineRule | undefined)[];

/** Stores rules in an array by unit, for a fast look-up at every unit of a text. */
export function inlineRules(rules: ReadonlyMap<number, InlineRule>): InlineRules {
  return Array.from({ length: 128 }, (_, unit) => rules.get(unit));
}

export function scan(scope: Scope, rules: InlineRules): void {
  const { text, end } = scope;
  let at = scope.start;
  while (at < end) {
    const unit = text.charCodeAt(at);
    const rule = unit < 128 ? rules[unit] : undefined;
    at = rule === undefined ? at + 1 : rule(scope, at);
  }
}

/** Pairs the marks of a scope and makes its nodes. */
export function nodesOf(scope: Scope, tokens: readonly Token[]): readonly ReadInline[] {
  return assemble(scope, pairMarks(scope.source, tokens));
}

/** The marks and their bits in `Scope.openMarks`; apostrophes have none. */
const KINDS: readonly (readonly [unit: number, kind: RunKind, bit: number])[] = [
  [UNIT.apostrophe, "apostrophes", 0],
  [UNIT.plus, "underline", 1],
  [UNIT.tilde, "strike", 2],
  [UNIT.caret, "superscript", 4],
  [UNIT.comma, "subscript", 8],
  [UNIT.backtick, "code", 16],
];

export const MARK_RULES: ReadonlyMap<number, InlineRule> = new Map(
  KINDS.map(([unit, kind, bit]) => [unit, runRule(unit, kind, bit)]),
);

export const MARK_BITS: ReadonlyMap<number, number> = new Map(KINDS.map(([unit, , bit]) => [unit, bit]));

/** Reads a run as a whole; a single mark is text. */
function runRule(unit: number, kind: RunKind, bit: number): InlineRule {
  return (scope, at) => {
    const end = skipUnit(scope.text, unit, at + 1, scope.end);
    if (end === at + 1) return end;
    scope.tokens.push({ start: at, end, kind });
    scope.openMarks = marksAfter(scope.openMarks, bit, end - at);
    return end;
  };
}

/** The open marks after a run, by the rule of `pairRun`. */
function marksAfter(openMarks: number, bit: number, length: number): number {
  const remaining = (openMarks & bit) === 0 ? length : length - 2;
  return remaining === 2 || remaining === 3 ? openMarks | bit : openMarks & ~bit;
}

/** Pairs each kind of mark on its own, like this family of syntaxes (wiki-syntax 0.3). */
function pairMarks(source: Source, tokens: readonly Token[]): readonly Piece[] {
  if (tokens.length === 0) return [];
  const before = source.issues.length;
  const first = pairAll(source, tokens, undefined);
  const unmatched = unmatchedBold(first, tokens);
  if (unmatched === undefined) return pairedPieces(first);
  source.issues.length = before;
  return pairedPieces(pairAll(source, tokens, unmatched));
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

/** If a bold and an italic stay open, the bold's apostrophes close the italic: `''the dogs'''`. */
function unmatchedBold({ open }: Pairing, tokens: readonly Token[]): Run | undefined {
  const bold = open.get("strong");
  if (bold === undefined || !open.has("emphasis")) return undefined;
  return tokens.find(
    (token): token is Run => token.node === undefined && token.start === bold.start && token.end === bold.end,
  );
}

const WIDTH = 2;

/** Closes the open mark, then opens with the rest; four and more, not open, are text. */
function pairRun(pairing: Pairing, start: number, end: number, kind: Exclude<RunKind, "apostrophes">): void {
  const opener = pairing.open.get(kind);
  let at = opener === undefined ? start : closeMark(pairing, opener, start, start + WIDTH);
  if (end - at === WIDTH || end - at === WIDTH + 1) at = openMark(pairing, kind, at, at + WIDTH);
  if (at < end) report(pairing.source, "marker-run", start, end);
}

/** Drops opening markers without a partner, which are text. */
function pairedPieces({ source, pieces, open }: Pairing): readonly Piece[] {
  if (open.size === 0) return pieces;
  for (const { type, start, end } of open.values()) {
    const inchMark =
      type === "emphasis" && pieces.some((piece) => piece.node === undefined && piece.type === type && piece.paired);
    report(source, inchMark ? "odd-italics" : "unpaired-mark", start, end);
  }
  return pieces.filter((piece) => piece.node !== undefined || piece.paired);
}

const ITALIC = 2;
const BOLD = 3;
const BOTH = ITALIC + BOLD;
const EMPTY_BOLD = BOLD + BOLD;

/**
 * A run of apostrophes closes open marks, then opens with the rest. Four are an apostrophe and
 * bold, six an empty bold (advice of wiki-syntax 7).
 */
function readApostrophes(pairing: Pairing, start: number, end: number): void {
  const length = end - start;
  if (length > BOLD && length !== BOTH) report(pairing.source, "ambiguous-apostrophes", start, end);
  let at = start;
  while (end - at >= ITALIC) at = step(pairing, at, end - at);
}

/** The third apostrophe is outside of the italic. */
function readAsItalic(pairing: Pairing, start: number): void {
  report(pairing.source, "ambiguous-apostrophes", start, start + BOLD);
  const italic = pairing.open.get("emphasis");
  if (italic === undefined) openMark(pairing, "emphasis", start + 1, start + BOLD);
  else closeMark(pairing, italic, start, start + ITALIC);
}

function step(pairing: Pairing, at: number, remaining: number): number {
  const bold = pairing.open.get("strong");
  const italic = pairing.open.get("emphasis");
  if (bold !== undefined && italic !== undefined) return stepInBoth(pairing, bold, italic, at, remaining);
  if (bold !== undefined && remaining >= BOLD) return closeMark(pairing, bold, at, at + BOLD);
  if (italic !== undefined && remaining !== BOLD) return closeMark(pairing, italic, at, at + ITALIC);
  return open(pairing, at, remaining);
}

function stepInBoth(pairing: Pairing, bold: Marker, italic: Marker, at: number, remaining: number): number {
  if (pairing.twins >= 0 && remaining < BOTH) orderTwins(pairing, bold, italic, remaining);
  pairing.twins = -1;
  if (remaining === ITALIC) return closeMark(pairing, italic, at, at + ITALIC);
  if (remaining < BOTH) return closeMark(pairing, bold, at, at + BOLD);
  const boldIsInner = bold.start > italic.start;
  const middle = closeMark(pairing, boldIsInner ? bold : italic, at, at + (boldIsInner ? BOLD : ITALIC));
  return closeMark(pairing, boldIsInner ? italic : bold, middle, at + BOTH);
}

/** The mark that closes first is the inner one: bold, as they were opened, or italic. */
function orderTwins({ source, pieces, twins }: Pairing, bold: Marker, italic: Marker, remaining: number): void {
  report(source, "nested-apostrophes", italic.start, bold.end);
  if (remaining !== ITALIC) return;
  bold.start = italic.start;
  bold.end = bold.start + BOLD;
  italic.start = bold.end;
  italic.end = italic.start + ITALIC;
  pieces[twins] = bold;
  pieces[twins + 1] = italic;
}

/** The surplus apostrophes of a longer run are text, since nothing determines their pairs. */
function open(pairing: Pairing, at: number, remaining: number): number {
  if (remaining === ITALIC) return openMark(pairing, "emphasis", at, at + ITALIC);
  if (remaining === BOLD || remaining === EMPTY_BOLD) return openMark(pairing, "strong", at, at + BOLD);
  if (remaining !== BOTH) return at + (remaining > BOTH ? remaining - BOTH : 1);
  pairing.twins = pairing.pieces.length;
  return openMark(pairing, "strong", openMark(pairing, "emphasis", at, at + ITALIC), at + BOTH);
}

interface Marker {
  start: number;
  end: number;
  readonly type: MarkType;
  readonly opens: boolean;
  paired: boolean;
  readonly node?: undefined;
}

type Piece = Marker | Atom;

/** The next marker of a kind closes the last open one. */
interface Pairing {
  readonly source: Source;
  readonly pieces: Piece[];
  readonly open: Map<MarkType, Marker>;
  /**
   * Where in `pieces` five apostrophes open both marks; their closing decides the order; -1: none.
   */
  twins: number;
}

function pairingOf(source: Source): Pairing {
  return { source, pieces: [], open: new Map(), twins: -1 };
}

function openMark({ pieces, open }: Pairing, type: MarkType, start: number, end: number): number {
  const marker: Marker = { start, end, type, opens: true, paired: false };
  open.set(type, marker);
  pieces.push(marker);
  return end;
}

function closeMark(pairing: Pairing, opener: Marker, start: number, end: number): number {
  const { source, pieces, open } = pairing;
  if (isBlank(source.text.charCodeAt(opener.end))) report(source, "blank-in-mark", opener.start, opener.end);
  opener.paired = true;
  open.delete(opener.type);
  pieces.push({ start, end, type: opener.type, opens: false, paired: true });
  return end;
}

/** An open mark with its nodes so far. */
interface Frame {
  readonly type: MarkType;
  readonly start: number;
  readonly open: string;
  readonly children: ReadInline[];
}

interface Assembly {
  readonly scope: Scope;
  readonly top: ReadInline[];
  /** At most one frame of each kind of mark. */
  readonly frames: Frame[];
  /** The end of the text that has become nodes. */
  at: number;
}

function assemble(scope: Scope, pieces: readonly Piece[]): readonly ReadInline[] {
  const assembly: Assembly = { scope, top: [], frames: [], at: scope.start };
  for (const piece of pieces) {
    addText(assembly, piece.start);
    assembly.at = piece.end;
    if (piece.node !== undefined) childrenOf(assembly).push(piece.node);
    else if (piece.opens) openFrame(assembly, piece);
    else closeFrame(assembly, piece);
  }
  addText(assembly, scope.end);
  return assembly.top;
}

function childrenOf({ top, frames }: Assembly): ReadInline[] {
  return frames.at(-1)?.children ?? top;
}

function addText(assembly: Assembly, end: number): void {
  const { scope, at: start } = assembly;
  if (start === end) return;
  childrenOf(assembly).push({ type: "text", value: scope.text.slice(start, end), position: { start, end } });
}

function openFrame({ scope, frames }: Assembly, { type, start, end }: Marker): void {
  frames.push({ type, start, open: scope.text.slice(start, end), children: [] });
}

/** Cuts the inner marks that continue: their halves have no marker at the cut. */
function closeFrame(assembly: Assembly, { type, start, end }: Marker): void {
  const { scope, frames } = assembly;
  const cut: MarkType[] = [];
  for (let frame = frames.pop(); frame !== undefined; frame = frames.pop()) {
    const ends = frame.type === type;
    const position = { start: frame.start, end: ends ? end : start };
    const close = ends ? scope.text.slice(start, end) : "";
    childrenOf(assembly).push({ type: frame.type, open: frame.open, children: frame.children, close, position });
    if (ends) break;
    cut.push(frame.type);
  }
  if (cut.length > 0) report(scope.source, "crossing-marks", start, end);
  for (const inner of cut.reverse()) frames.push({ type: inner, start: end, open: "", children: [] });
}
