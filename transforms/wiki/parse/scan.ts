import { assemble } from "./assemble.js";
import { pairMarks } from "./pair-marks.js";
import type { ReadInline } from "./read-inline.js";
import type { InlineRule, Scope, Token } from "./scope.js";

/** By UTF-16 unit; most units begin nothing. */
export type InlineRules = readonly (InlineRule | undefined)[];

/** Spreads rules by unit over an array, which is looked into for every unit of a text. */
export function inlineRules(rules: ReadonlyMap<number, InlineRule>): InlineRules {
  return Array.from({ length: 128 }, (_, unit) => rules.get(unit));
}

/** Reads a scope from one special unit to the next. */
export function scan(scope: Scope, rules: InlineRules): void {
  const { text, end } = scope;
  let at = scope.start;
  while (at < end) {
    const unit = text.charCodeAt(at);
    const rule = unit < 128 ? rules[unit] : undefined;
    at = rule === undefined ? at + 1 : rule(scope, at);
  }
}

/** Pairs the marks of a scope that has been read, and makes its nodes. */
export function nodesOf(scope: Scope, tokens: readonly Token[]): readonly ReadInline[] {
  return assemble(scope, pairMarks(scope.source, tokens));
}
