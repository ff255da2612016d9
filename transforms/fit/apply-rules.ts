import type { FitContext } from "./context.js";
import type { Change, Finding, FitRule } from "./rule.js";

/** Applies rules in their order, each to what the one before it left. */
export function applyRules<T>(rules: readonly FitRule<T>[], value: T, context: FitContext): Change<T> {
  const findings: Finding[] = [];
  let current = value;
  for (const rule of rules) {
    const change = rule.fit(current, context);
    current = change.value;
    findings.push(...change.findings);
  }
  return { value: current, findings };
}
