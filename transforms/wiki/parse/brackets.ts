import { readBreak } from "./break.js";
import { UNIT } from "./characters.js";
import { readHead } from "./heads.js";
import type { Head } from "./macro.js";
import { macroNode } from "./macro-node.js";
import type { Atom, Bracket, Scope, Token } from "./scope.js";
import { report } from "./source.js";
import { readTag } from "./tags.js";

/** Opens a bracket: it may begin a macro, and whether it does shows when it is closed. */
export function openBracket(scope: Scope, at: number): number {
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

/** Closes the innermost bracket that is open. */
export function closeBracket(scope: Scope, at: number): number {
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

/** What is left open at the end of a scope is text, unless a bracket inside can close it. Gives the tokens of the scope. */
export function closeScope(scope: Scope): readonly Token[] {
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

/** What was read inside of a macro is read anew, as its label. */
function takeBack(scope: Scope, { tokens, issues, openMarks }: Bracket): void {
  scope.tokens.length = tokens;
  scope.source.issues.length = issues;
  scope.openMarks = openMarks;
}

function atomOf({ source }: Scope, start: number, head: Head, close: number, balanced: boolean): Atom {
  const end = close + head.width;
  return { start, end, node: macroNode(source, head, { start, fields: head.fields, close, end, balanced }) };
}

/** A bracket that knows of a macro inside stands in others that know of it too, so that each is marked once. */
function markInner(brackets: readonly Bracket[], at: number): void {
  const known = brackets.findLastIndex((bracket) => bracket.inner >= 0);
  for (const bracket of brackets.slice(known + 1)) bracket.inner = at;
}

/** Puts macros in the place of the tokens that they cover. */
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
