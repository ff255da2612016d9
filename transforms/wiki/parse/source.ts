import type { TextContext, TextIssue } from "../tree.js";
import { UNIT } from "./characters.js";
import { ISSUES, type IssueCode } from "./issues.js";
import { readMatches } from "./matches.js";

/** A text on its way to a tree, with what is known about all of it. */
export interface Source {
  readonly text: string;
  readonly context: TextContext;
  readonly issues: TextIssue[];
  /** Where the last search for a closing tag began and what it found. */
  readonly closings: Map<string, { readonly from: number; readonly found: number }>;
  /** Where the last search for a line end began and what it found. */
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

/** Characters of which nothing public says what the site makes of them (wiki-syntax 7): the first of each is reported. */
const ODDITIES: readonly (readonly [IssueCode, RegExp])[] = [
  ["carriage-return", /\r/],
  ["odd-blank", /[\t\u00A0]/],
  ["entity", /&(?:[a-z]\w{1,30}|#\d{1,7}|#x[\da-f]{1,6});/i],
];

export function report(source: Source, code: IssueCode, start: number, end: number): void {
  const { level, message } = ISSUES[code];
  source.issues.push({ code, level, message, start, end });
}

/**
 * Where the closing tag begins that stands at or behind `from`; -1 when there is none. It remembers the last answer: to search
 * anew for each of many tags that are never closed would take squared time.
 */
export function closingTag(source: Source, name: string, from: number): number {
  const known = source.closings.get(name);
  if (known !== undefined && from >= known.from && (known.found < 0 || from <= known.found)) return known.found;
  const pattern = new RegExp(`\\[/${name}\\]`, "gi");
  pattern.lastIndex = from;
  const found = pattern.exec(source.text)?.index ?? -1;
  source.closings.set(name, { from, found });
  return found;
}

/** The bracket that closes the one at `at`, inner brackets counted; -1 when none does. */
export function closingBracket(source: Source, at: number): number {
  source.matches ??= readMatches(source.text);
  return source.matches.get(at) ?? -1;
}

/** The line that `at` is in, up to `end`: where its text ends and where the next one begins. */
export function lineFrom(source: Source, at: number, end: number): { readonly textEnd: number; readonly next: number } {
  const newline = newlineFrom(source, at);
  if (newline < 0 || newline >= end) return { textEnd: end, next: end };
  const isCarriageReturn = newline > at && source.text.charCodeAt(newline - 1) === UNIT.carriageReturn;
  return { textEnd: isCarriageReturn ? newline - 1 : newline, next: newline + 1 };
}

/** Remembered for the reason of `closingTag`: many blocks may stand in one line. */
function newlineFrom(source: Source, at: number): number {
  const { from, found } = source.newline;
  if (at >= from && (found < 0 || at <= found)) return found;
  source.newline = { from: at, found: source.text.indexOf("\n", at) };
  return source.newline.found;
}
