import type { Position } from "../tree.js";
import { UNIT } from "./characters.js";
import type { ReadInline } from "./read-inline.js";
import { MARK_BITS } from "./runs.js";
import type { Scope } from "./scope.js";
import { report } from "./source.js";

/**
 * Reads an address in running text from its colon on. A blank ends it (real, wiki-syntax 3.3), so do brackets, pipes and quotes;
 * a marker does when it would close a mark that is open. Closing punctuation is not part of it (advice of wiki-syntax 7).
 */
export function readBareAddress(scope: Scope, colon: number): number {
  const { text, openMarks } = scope;
  const start = schemeStart(scope, colon);
  const body = colon + "://".length;
  if (start < 0 || !text.startsWith("//", colon + 1)) return colon + 1;
  const run = runEnd(text, body, scope.end, openMarks);
  const end = withoutPunctuation(text, body, run);
  if (end <= body) return colon + 1;
  if (end < run) report(scope.source, "url-punctuation", end, run);
  else if (MARK_BITS.has(text.charCodeAt(run)) && run < scope.end) report(scope.source, "url-cut", start, run);
  scope.tokens.push({ start, end, node: bareLink(text, start, end) });
  return end;
}

/** Where an address stands in a text, and where the run of characters ends that it was read from. */
export interface AddressSpan extends Position {
  readonly run: number;
}

/** The addresses of a text that nothing else is around: what `readBareAddress` reads where no mark is open. */
export function bareAddressesIn(text: string): readonly AddressSpan[] {
  const spans: AddressSpan[] = [];
  for (const { 0: scheme, index: start } of text.matchAll(SCHEME)) {
    if (start < (spans.at(-1)?.end ?? 0)) continue;
    const body = start + scheme.length;
    const run = runEnd(text, body, text.length, 0);
    const end = withoutPunctuation(text, body, run);
    if (end > body) spans.push({ start, end, run });
  }
  return spans;
}

const SCHEME = /https?:\/\//gi;

/** `http` and `https` are the schemes that the site is known to link; the word may stand right behind other text. */
function schemeStart({ text, start, tokens }: Scope, colon: number): number {
  const floor = tokens.at(-1)?.end ?? start;
  const word = text.slice(Math.max(floor, colon - "https".length), colon).toLowerCase();
  if (word === "https") return colon - word.length;
  return word.endsWith("http") ? colon - "http".length : -1;
}

// The units that end an address (those of `bareUrl`, which reads the same for the references): besides blanks, the ASCII ones.
const END = /[\s|[\]<>"]/;
const ENDS: readonly boolean[] = Array.from({ length: 128 }, (_, unit) => END.test(String.fromCharCode(unit)));

function runEnd(text: string, from: number, end: number, openMarks: number): number {
  let at = from;
  while (at < end) {
    const unit = text.charCodeAt(at);
    if (unit < 128 ? ENDS[unit] : END.test(text.charAt(at))) return at;
    const bit = text.charCodeAt(at + 1) === unit ? MARK_BITS.get(unit) : undefined;
    if (bit !== undefined && (unit === UNIT.apostrophe || (openMarks & bit) !== 0)) return at;
    at += 1;
  }
  return at;
}

const PUNCTUATION = new Set(".,;:!?'*”’»…");
const PUNCTUATION_AND_PARENTHESIS = new Set([...PUNCTUATION, ")"]);

/** A closing parenthesis belongs to the sentence unless the address opens one: `(see …/Wiki/Saw)`, `…/Wiki/Saw_(tool)`. */
function withoutPunctuation(text: string, from: number, run: number): number {
  const outside = text.slice(from, run).includes("(") ? PUNCTUATION : PUNCTUATION_AND_PARENTHESIS;
  let end = run;
  while (end > from && outside.has(text.charAt(end - 1))) end -= 1;
  return end;
}

function bareLink(text: string, start: number, end: number): ReadInline {
  return {
    type: "link",
    kind: "bare",
    open: "",
    target: text.slice(start, end),
    leading: [],
    bar: "",
    children: [],
    parameters: [],
    close: "",
    position: { start, end },
  };
}
