import type { Position } from "../tree.js";
import { UNIT } from "./characters.js";
import { macroNode, readBreak, readHead } from "./macros.js";
import { inlineRules, MARK_BITS, MARK_RULES, nodesOf, scan } from "./marks.js";
import {
  type Atom,
  type Bracket,
  type Head,
  type ReadInline,
  report,
  type Scope,
  type Source,
  scopeOf,
  type Token,
} from "./source.js";

/** The closing bracket decides whether this one begins a macro. */
function openBracket(scope: Scope, at: number): number {
  const done = readBreak(scope, at) ?? readTag(scope, at);
  if (done !== undefined) return done;
  const { tokens, brackets, openMarks, source } = scope;
  const head = readHead(scope.text, at, scope.end);
  brackets.push({
    at,
    head,
    tokens: tokens.length,
    issues: source.issues.length,
    openMarks,
    inner: -1,
    firstClose: -1,
  });
  return head?.next ?? at + 1;
}

function closeBracket(scope: Scope, at: number): number {
  const bracket = scope.brackets.at(-1);
  if (bracket === undefined || !closes(scope, bracket, at)) return at + 1;
  scope.brackets.pop();
  const { head } = bracket;
  if (head === undefined || bracket.inner >= 0) return closeAsText(scope, bracket, at);
  takeBack(scope, bracket);
  scope.tokens.push(atomOf(scope, bracket.at, head, at, true));
  if (head.macro === undefined) noteClose(scope, at);
  else markInner(scope.brackets, bracket.at);
  return at + head.width;
}

/** Brackets that stay open are text, unless a bracket inside can close them. Returns the tokens. */
function closeScope(scope: Scope): readonly Token[] {
  const late: Atom[] = [];
  for (const { at, head, inner, firstClose } of scope.brackets) {
    if (head?.macro === undefined) continue;
    const ends = firstClose >= 0 && (inner < 0 || firstClose < inner);
    report(scope.source, ends ? "bracket-in-label" : "unclosed-macro", at, head.next);
    if (ends) late.push(atomOf(scope, at, head, firstClose, false));
  }
  return late.length === 0 ? scope.tokens : merge(scope.tokens, late);
}

/** A single bracket inside of a link to a page is text. */
function closes({ text, end }: Scope, { head }: Bracket, at: number): boolean {
  return head?.width !== 2 || (at + 1 < end && text.charCodeAt(at + 1) === UNIT.close);
}

function closeAsText(scope: Scope, { at: start, head }: Bracket, at: number): number {
  const end = at + (head?.width ?? 1);
  if (head !== undefined) report(scope.source, "macro-in-label", start, end);
  noteClose(scope, at);
  return end;
}

function noteClose(scope: Scope, at: number): void {
  const around = scope.brackets.at(-1);
  if (around !== undefined && around.firstClose < 0 && closes(scope, around, at)) around.firstClose = at;
}

/** Discards the content of a macro, which is parsed again as its label. */
function takeBack(scope: Scope, { tokens, issues, openMarks }: Bracket): void {
  scope.tokens.length = tokens;
  scope.source.issues.length = issues;
  scope.openMarks = openMarks;
}

function atomOf({ source }: Scope, start: number, head: Head, close: number, balanced: boolean): Atom {
  const end = close + head.width;
  return { start, end, node: macroNode(source, head, { start, fields: head.fields, close, end, balanced }) };
}

/** A marked bracket is inside of marked ones, so each is marked once. */
function markInner(brackets: readonly Bracket[], at: number): void {
  const known = brackets.findLastIndex((bracket) => bracket.inner >= 0);
  for (const bracket of brackets.slice(known + 1)) bracket.inner = at;
}

function merge(tokens: readonly Token[], late: readonly Atom[]): readonly Token[] {
  const rest = late.values();
  const merged: Token[] = [];
  let atom = rest.next().value;
  for (const token of tokens) {
    for (; atom !== undefined && atom.start < token.start; atom = rest.next().value) merged.push(atom);
    if (token.start >= (merged.at(-1)?.end ?? 0)) merged.push(token);
  }
  for (; atom !== undefined; atom = rest.next().value) merged.push(atom);
  return merged;
}

/**
 * Reads an address in running text from its colon. It ends at a blank (real, wiki-syntax 3.3),
 * bracket, pipe or quote, and at a marker that closes an open mark. Closing punctuation is not part
 * of it (advice of wiki-syntax 7).
 */
function readBareAddress(scope: Scope, colon: number): number {
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

export interface AddressSpan extends Position {
  readonly run: number;
}

/** The addresses that `readBareAddress` finds where no mark is open. */
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

/** The site links `http` and `https`; the word can directly follow other text. */
function schemeStart({ text, start, tokens }: Scope, colon: number): number {
  const floor = tokens.at(-1)?.end ?? start;
  const word = text.slice(Math.max(floor, colon - "https".length), colon).toLowerCase();
  if (word === "https") return colon - word.length;
  return word.endsWith("http") ? colon - "http".length : -1;
}

// Units that end an address, as in `bareUrl` of the references: blanks and these ASCII ones.
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

/** Drops a closing parenthesis that the address does not open: `…/Saw)`, but `…/Saw_(tool)`. */
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

/** Inline rules of running text, by first character. */
const RULES = inlineRules(
  new Map([
    ...MARK_RULES,
    [UNIT.open, openBracket],
    [UNIT.close, closeBracket],
    [UNIT.colon, readBareAddress],
    [UNIT.newline, readNewline],
  ]),
);

export function readInlines(source: Source, start: number, end: number): readonly ReadInline[] {
  const scope = scopeOf(source, start, end);
  scan(scope, RULES);
  return nodesOf(scope, closeScope(scope));
}

function readNewline({ source }: Scope, at: number): number {
  report(source, "single-newline", at, at + 1);
  return at + 1;
}

const TAG = /\[\/?(code|quote|summary)\]/iy;

/** A tag of a block is text inside of text; undefined: none at `at`. */
function readTag({ source, text, end: scopeEnd, tokens }: Scope, at: number): number | undefined {
  TAG.lastIndex = at;
  const found = TAG.exec(text);
  if (found === null || TAG.lastIndex > scopeEnd) return undefined;
  const [value, keyword = ""] = found;
  const end = at + value.length;
  report(source, source.context === "line" ? "block-in-line" : "block-in-text", at, end);
  tokens.push({
    start: at,
    end,
    node: { type: "opaque", keyword: keyword.toLowerCase(), value, position: { start: at, end } },
  });
  return end;
}
