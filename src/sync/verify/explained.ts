import type { Step } from "../../core/model/guide.js";
import type { Issue } from "../../core/model/issue.js";
import { FINISH_FIELDS, OWN_FIELDS, STEP_ORDER } from "../perform.js";

/** Issues that a write left, which say that something at the target is not as it should be. Those of the fit rules are no excuse: what is compared is fitted already. */
const EXCUSES: ReadonlySet<string> = new Set([
  "conflict-skipped",
  "merge-clash",
  "merge-kept-theirs",
  "media-not-there",
  "not-cleared",
  "viewers-switched-off",
  "refused-by-site",
  "author",
  "part-mark",
  "work-log",
  "prerequisite-not-moved",
  "prerequisite-waiting",
  "parent-not-moved",
  "comment-gone",
  "comment-not-posted",
  "translation-refused",
]);

/** Is a difference named by the loss ledger? `losses` are what no write can carry, `issues` all that the ledger has of the item. */
export function isExplained(
  path: string,
  losses: readonly Issue[],
  issues: readonly Issue[],
  steps: readonly Step[],
): boolean {
  const named = [...losses, ...issues.filter((issue) => EXCUSES.has(issue.code))].map((issue) => issue.path);
  const alias = stepAlias(path, steps);
  return named.some((prefix) => covers(prefix, path) || (alias !== undefined && isWithin(prefix, alias)));
}

/** `steps[3].lines[0].text` is `step/456.lines[0].text` in the issues of a write, since positions move. */
function stepAlias(path: string, steps: readonly Step[]): string | undefined {
  const found = /^steps\[(\d+)\](.*)$/s.exec(path);
  const key = found === null ? undefined : steps[Number(found[1])]?.key;
  return key === undefined ? undefined : `${key}${found?.[2] ?? ""}`;
}

/** What has calls of its own, beside those that write a thing's own fields. */
const FINISH = ["flags", "author", "pageTitle"] as const;
const OTHERS = ["steps", "tags", "viewers", "public", "parent", ...FINISH] as const;

function covers(prefix: string, path: string): boolean {
  if (prefix === OWN_FIELDS) return !OTHERS.some((other) => isWithin(other, path));
  // Who adds and removes steps changes their order too.
  if (prefix === STEP_ORDER) return path === STEP_ORDER || path === "steps.others";
  if (prefix === FINISH_FIELDS) return FINISH.some((field) => isWithin(field, path));
  return isWithin(prefix, path);
}

function isWithin(prefix: string, path: string): boolean {
  return prefix === "" || path === prefix || path.startsWith(`${prefix}.`) || path.startsWith(`${prefix}[`);
}
