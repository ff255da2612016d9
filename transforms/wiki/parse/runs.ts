import { skipUnit, UNIT } from "./characters.js";
import type { InlineRule, RunKind } from "./scope.js";

/** The marks and their bits in `Scope.openMarks`; apostrophes need none. */
const KINDS: readonly (readonly [unit: number, kind: RunKind, bit: number])[] = [
  [UNIT.apostrophe, "apostrophes", 0],
  [UNIT.plus, "underline", 1],
  [UNIT.tilde, "strike", 2],
  [UNIT.caret, "superscript", 4],
  [UNIT.comma, "subscript", 8],
  [UNIT.backtick, "code", 16],
];

/** The rules of every scope. */
export const MARK_RULES: ReadonlyMap<number, InlineRule> = new Map(
  KINDS.map(([unit, kind, bit]) => [unit, runRule(unit, kind, bit)]),
);

/** The bit of each mark by its unit. */
export const MARK_BITS: ReadonlyMap<number, number> = new Map(KINDS.map(([unit, , bit]) => [unit, bit]));

/** Takes a run as a whole; a single mark is text. */
function runRule(unit: number, kind: RunKind, bit: number): InlineRule {
  return (scope, at) => {
    const end = skipUnit(scope.text, unit, at + 1, scope.end);
    if (end === at + 1) return end;
    scope.tokens.push({ start: at, end, kind });
    scope.openMarks = marksAfter(scope.openMarks, bit, end - at);
    return end;
  };
}

/** What is open behind a run, by the rule of `pairRun`. */
function marksAfter(openMarks: number, bit: number, length: number): number {
  const left = (openMarks & bit) === 0 ? length : length - 2;
  return left === 2 || left === 3 ? openMarks | bit : openMarks & ~bit;
}
