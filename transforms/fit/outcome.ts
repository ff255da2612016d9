import type { Issue } from "../../src/core/model/issue.js";
import type { Key } from "../../src/core/model/key.js";
import type { Change } from "./rule.js";

/** What became of an item. */
export interface FitOutcome<I> {
  /** The very same object when nothing had to be done; undefined: the site would refuse it. */
  readonly item: I | undefined;
  /** What was changed in the item, as notes and losses; empty when it is refused. */
  readonly issues: readonly Issue[];
  /** Everything that the site would refuse; empty when the item goes. */
  readonly refused: readonly Issue[];
}

/** The outcome of a change of an item's body: one error refuses the item, and then every error is told. */
export function outcomeOf<I extends { readonly key: Key; readonly body: unknown }>(
  item: I,
  { value, findings }: Change<I["body"]>,
): FitOutcome<I> {
  const issues = findings.map((finding): Issue => ({ ...finding, key: item.key }));
  const refused = issues.filter((issue) => issue.level === "error");
  if (refused.length > 0) return { item: undefined, issues: [], refused };
  return { item: value === item.body ? item : { ...item, body: value }, issues, refused };
}
