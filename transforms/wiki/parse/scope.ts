import type { MarkType } from "../tree.js";
import type { Head } from "./macro.js";
import type { ReadInline } from "./read-inline.js";
import type { Source } from "./source.js";

/** Reads what begins at `at` and says where to go on, which is always further on. */
export type InlineRule = (scope: Scope, at: number) => number;

/** What a run of two or more of one mark is about: apostrophes are italic, bold, or both. */
export type RunKind = Exclude<MarkType, "strong" | "emphasis"> | "apostrophes";

/** A run of two or more equal marks; what it opens or closes is settled when the block is known whole. */
export interface Run {
  readonly start: number;
  readonly end: number;
  readonly kind: RunKind;
  readonly node?: undefined;
}

/** A finished node among text and marks. */
export interface Atom {
  readonly start: number;
  readonly end: number;
  readonly node: ReadInline;
}

export type Token = Run | Atom;

/** A bracket that is not closed yet. */
export interface Bracket {
  readonly at: number;
  /** undefined: a bracket that begins no macro. */
  readonly head: Head | undefined;
  /** The state at the bracket, taken up again when the macro is complete: what it holds is read anew, as its label. */
  readonly tokens: number;
  readonly issues: number;
  readonly openMarks: number;
  /** Where the first macro inside begins, or -1: a macro holds no other. */
  inner: number;
  /** The first bracket inside that could close this one, or -1. */
  firstClose: number;
}

/** A stretch of inlines while it is read. */
export interface Scope {
  readonly source: Source;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly tokens: Token[];
  readonly brackets: Bracket[];
  /** One bit for each kind of mark that is open, see `MARK_BITS`. */
  openMarks: number;
}

export function scopeOf(source: Source, start: number, end: number): Scope {
  return { source, text: source.text, start, end, tokens: [], brackets: [], openMarks: 0 };
}
