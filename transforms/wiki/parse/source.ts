import type { TextIssue } from "../../../src/core/model/text-codes.js";
import { WIKI_CODES } from "../../../src/core/model/text-codes.js";
import type { Block, Inline, MarkType, Parameter, Position, TextContext } from "../tree.js";
import { UNIT } from "./characters.js";

export interface Source {
  readonly text: string;
  readonly context: TextContext;
  readonly issues: TextIssue[];
  /** Start and result of the last search for each closing tag. */
  readonly closings: Map<string, { readonly from: number; readonly found: number }>;
  /** Start and result of the last search for a line end. */
  newline: { readonly from: number; readonly found: number };
  matches: ReadonlyMap<number, number> | undefined;
}

export function sourceOf(text: string, context: TextContext): Source {
  const newline = { from: 0, found: text.indexOf("\n") };
  const source: Source = { text, context, issues: [], closings: new Map(), newline, matches: undefined };
  for (const [code, pattern] of ODDITIES) {
    const found = pattern.exec(text);
    if (found !== null) report(source, code, found.index, found.index + found[0].length);
  }
  return source;
}

/** Characters with an unknown effect on the site (wiki-syntax 7): the first of each is reported. */
const ODDITIES: readonly (readonly [WikiCode, RegExp])[] = [
  ["carriage-return", /\r/],
  ["odd-blank", /[\t\u00A0]/],
  ["entity", /&(?:[a-z]\w{1,30}|#\d{1,7}|#x[\da-f]{1,6});/i],
];

type WikiCode = keyof typeof WIKI_CODES;

export function report(source: Source, code: WikiCode, start: number, end: number): void {
  const [level, message] = WIKI_CODES[code];
  source.issues.push({ code, level, message, start, end });
}

/** The closing tag at or after `from`; -1: none. The kept result avoids quadratic time. */
export function closingTag(source: Source, name: string, from: number): number {
  const known = source.closings.get(name);
  if (known !== undefined && from >= known.from && (known.found < 0 || from <= known.found)) return known.found;
  const pattern = new RegExp(`\\[/${name}\\]`, "gi");
  pattern.lastIndex = from;
  const found = pattern.exec(source.text)?.index ?? -1;
  source.closings.set(name, { from, found });
  return found;
}

/** The matching bracket; -1: none. */
export function closingBracket(source: Source, at: number): number {
  source.matches ??= readMatches(source.text);
  return source.matches.get(at) ?? -1;
}

/** The end of the text of the line at `at`, and the start of the next line, up to `end`. */
export function lineFrom(source: Source, at: number, end: number): { readonly textEnd: number; readonly next: number } {
  const newline = newlineFrom(source, at);
  if (newline < 0 || newline >= end) return { textEnd: end, next: end };
  const isCarriageReturn = newline > at && source.text.charCodeAt(newline - 1) === UNIT.carriageReturn;
  return { textEnd: isCarriageReturn ? newline - 1 : newline, next: newline + 1 };
}

/** Keeps the last result like `closingTag`: one line can have many blocks. */
function newlineFrom(source: Source, at: number): number {
  const { from, found } = source.newline;
  if (at >= from && (found < 0 || at <= found)) return found;
  source.newline = { from: at, found: source.text.indexOf("\n", at) };
  return source.newline.found;
}

/** The part of a text whose blocks are read: all of it, or the content of a quote. */
export interface BlockRange {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

export interface BlockPlace extends BlockRange {
  /** The first non-blank character of the line, or of its rest after another block. */
  readonly at: number;
}

/** A block with its position. Its spacing is set when it is added. */
export type ReadBlock = Block & { readonly position: Position; before: string };

/** Reads the blocks of a range; `end`: the end of the last one. */
export type BlockReader = (
  source: Source,
  range: BlockRange,
) => { readonly blocks: readonly Block[]; readonly end: number };

/** Reads a block at a place; undefined: none of its kind. `readInner` reads the blocks inside. */
export type BlockRule = (source: Source, place: BlockPlace, readInner: BlockReader) => ReadBlock | undefined;

/** Returns a place after `at`. */
export type InlineRule = (scope: Scope, at: number) => number;

/** The mark of a run: apostrophes are italic, bold, or both. */
export type RunKind = Exclude<MarkType, "strong" | "emphasis"> | "apostrophes";

/** Two or more equal marks; the whole block decides what they open or close. */
export interface Run {
  readonly start: number;
  readonly end: number;
  readonly kind: RunKind;
  readonly node?: undefined;
}

export interface Atom {
  readonly start: number;
  readonly end: number;
  readonly node: ReadInline;
}

export type Token = Run | Atom;

export interface Bracket {
  readonly at: number;
  /** undefined: a bracket that begins no macro. */
  readonly head: Head | undefined;
  /** The state at the bracket, from which a complete macro is read again as its label. */
  readonly tokens: number;
  readonly issues: number;
  readonly openMarks: number;
  /** The start of the first macro inside, or -1: a macro holds no other. */
  inner: number;
  /** The first bracket inside that could close this one, or -1. */
  firstClose: number;
}

export interface Scope {
  readonly source: Source;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly tokens: Token[];
  readonly brackets: Bracket[];
  /** One bit for each open kind of mark, see `MARK_BITS`. */
  openMarks: number;
}

export function scopeOf(source: Source, start: number, end: number): Scope {
  return { source, text: source.text, start, end, tokens: [], brackets: [], openMarks: 0 };
}

export interface Fields {
  readonly open: string;
  readonly target: string;
  readonly leading: readonly Parameter[];
  readonly bar: string;
  readonly label: Position | undefined;
  readonly parameters: readonly Parameter[];
  readonly close: string;
  readonly position: Position;
  /** Whether the label consists of several fields. */
  readonly joined: boolean;
}

export type Macro = TextMacro | BlockMacro;

export interface TextMacro {
  /** `page`: only in the text of pages. */
  readonly place: "text" | "page";
  /** After the target. `only-parameters`: there is no target. */
  readonly fields: "label" | "parameters" | "only-parameters";
  /** undefined: the target is invalid, and the macro stays opaque. */
  readonly read: (source: Source, fields: Fields) => ReadInline | undefined;
}

/** A macro that is always a block. */
interface BlockMacro {
  readonly place: "block";
  readonly fields: "parameters";
}

/** The beginning of a macro: a bracket and its keyword, address or title. */
export interface Head {
  /** Lower case; "" for an address or a title. */
  readonly keyword: string;
  /** undefined: an unknown keyword. */
  readonly macro: Macro | undefined;
  /** Closing brackets: 2 for a link to a wiki page. */
  readonly width: 1 | 2;
  /** Start of the first field. */
  readonly fields: number;
  readonly next: number;
}

export type ReadInline = Inline & { readonly position: Position };

/** Maps each opening bracket to its closing one, inner brackets included. */
function readMatches(text: string): ReadonlyMap<number, number> {
  const matches = new Map<number, number>();
  const open: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === UNIT.open) open.push(at);
    const start = unit === UNIT.close ? open.pop() : undefined;
    if (start !== undefined) matches.set(start, at);
  }
  return matches;
}
