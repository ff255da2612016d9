import { readBareAddress } from "./bare-address.js";
import { closeBracket, closeScope, openBracket } from "./brackets.js";
import { UNIT } from "./characters.js";
import type { ReadInline } from "./read-inline.js";
import { MARK_RULES } from "./runs.js";
import { inlineRules, nodesOf, scan } from "./scan.js";
import { type Scope, scopeOf } from "./scope.js";
import { report, type Source } from "./source.js";

/** What may begin something in running text, by its first character. */
const RULES = inlineRules(
  new Map([
    ...MARK_RULES,
    [UNIT.open, openBracket],
    [UNIT.close, closeBracket],
    [UNIT.colon, readBareAddress],
    [UNIT.newline, readNewline],
  ]),
);

/** Reads the inlines between two places of a text. */
export function readInlines(source: Source, start: number, end: number): readonly ReadInline[] {
  const scope = scopeOf(source, start, end);
  scan(scope, RULES);
  return nodesOf(scope, closeScope(scope));
}

function readNewline({ source }: Scope, at: number): number {
  report(source, "single-newline", at, at + 1);
  return at + 1;
}
