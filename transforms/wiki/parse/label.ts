import { readBreak } from "./break.js";
import { UNIT } from "./characters.js";
import type { ReadInline } from "./read-inline.js";
import { MARK_RULES } from "./runs.js";
import { inlineRules, nodesOf, scan } from "./scan.js";
import { scopeOf } from "./scope.js";
import type { Source } from "./source.js";

/** In a label there are marks and breaks, but neither links nor media (wiki-syntax 7). */
const RULES = inlineRules(new Map([...MARK_RULES, [UNIT.open, (scope, at) => readBreak(scope, at) ?? at + 1]]));

/** Reads the label of a link. */
export function readLabel(source: Source, start: number, end: number): readonly ReadInline[] {
  const scope = scopeOf(source, start, end);
  scan(scope, RULES);
  return nodesOf(scope, scope.tokens);
}
