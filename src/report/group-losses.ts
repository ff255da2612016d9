import type { Issue } from "../model/issue.js";
import type { Item } from "../model/item.js";
import { type Key, kindOf } from "../model/key.js";
import type { RunReport } from "./run-report.js";
import { sourceText } from "./source-text.js";
import { type LeftOf, targetText } from "./target-text.js";

type LossGroup = RunReport["losses"][number];

/** Examples of each group; the ledger has all. */
const EXAMPLES = 10;

/** What is asked of a workspace to show an issue. */
export interface LossSources {
  /** undefined: it is not stored, or can't be read. */
  item(key: Key): Promise<Item | undefined>;
  readonly left: LeftOf;
}

/** Issues by kind and code, errors before losses before notes, the most frequent first; the first of each with the texts of both sides. */
export async function groupLosses(issues: Iterable<Issue>, sources: LossSources): Promise<readonly LossGroup[]> {
  const groups = new Map<string, { readonly first: Issue[]; count: number }>();
  for (const issue of issues) {
    const name = `${issue.level} ${kindOf(issue.key)} ${issue.code}`;
    const group = groups.get(name) ?? { first: [], count: 0 };
    groups.set(name, group);
    group.count += 1;
    if (group.first.length < EXAMPLES) group.first.push(issue);
  }
  const shown: LossGroup[] = [];
  for (const { first, count } of groups.values()) {
    const [issue] = first;
    if (issue === undefined) continue;
    const { code, level, key } = issue;
    const examples = [];
    for (const one of first) examples.push(await example(one, sources));
    shown.push({ kind: kindOf(key), code, level, count, examples });
  }
  const weight = ({ level }: LossGroup): number => ["error", "loss", "note"].indexOf(level);
  return shown.toSorted((one, other) => weight(one) - weight(other) || other.count - one.count);
}

async function example(issue: Issue, { item, left }: LossSources): Promise<LossGroup["examples"][number]> {
  const stored = kindOf(issue.key) === "step" ? undefined : await item(issue.key);
  const title = stored === undefined ? "" : titleOf(stored);
  if (issue.texts !== undefined) return { issue, title, atSource: issue.texts.ours, atTarget: issue.texts.theirs };
  if (stored === undefined) return { issue, title, atSource: null, atTarget: null };
  return { issue, title, atSource: sourceText(stored, issue.path), atTarget: targetText(stored, issue.path, left) };
}

function titleOf({ body }: Item): string {
  return "title" in body ? body.title : "fileName" in body ? (body.fileName ?? "") : "";
}
