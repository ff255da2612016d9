import { type Issue, isLeftOut } from "../../core/model/issue.js";
import type { Item } from "../../core/model/item.js";
import { type Key, kindOf } from "../../core/model/key.js";
import { reasonOf } from "./part-reader.js";
import type { RunReport } from "./run-report.js";
import { sourceText } from "./source-text.js";
import { type LeftOf, targetText } from "./target-text.js";

type LossGroup = RunReport["losses"][number];

/** Examples of each group; the ledger has all. */
const EXAMPLES = 10;

/** What is asked of a workspace to show an issue. */
export interface LossSources {
  /** undefined: it is not stored. May throw: the loss is told without texts, and why. */
  item(key: Key): Promise<Item | undefined>;
  /** May throw likewise. */
  readonly left: LeftOf;
}

/** Issues by kind and code, errors before losses before notes, the most frequent first; the first of each with the texts of both sides. */
export async function groupLosses(issues: Iterable<Issue>, sources: LossSources): Promise<readonly LossGroup[]> {
  const groups = new Map<string, { readonly first: Issue[]; count: number }>();
  for (const issue of issues) {
    // A whole item is no value that was lost on the way; the page names it by itself.
    if (isLeftOut(issue)) continue;
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

type Example = LossGroup["examples"][number];

async function example(issue: Issue, sources: LossSources): Promise<Example> {
  const told = issue.texts ?? { ours: null, theirs: null };
  const bare: Example = { issue, title: "", atSource: told.ours, atTarget: told.theirs, unread: null };
  try {
    return { ...bare, ...(await lookedUp(issue, sources)) };
  } catch (error) {
    return { ...bare, unread: reasonOf(error) };
  }
}

async function lookedUp({ key, path, texts }: Issue, { item, left }: LossSources): Promise<Partial<Example>> {
  const stored = kindOf(key) === "step" ? undefined : await item(key);
  if (stored === undefined) return {};
  const title = titleOf(stored);
  if (texts !== undefined) return { title };
  return { title, atSource: sourceText(stored, path), atTarget: targetText(stored, path, left) };
}

function titleOf({ body }: Item): string {
  return "title" in body ? body.title : "fileName" in body ? (body.fileName ?? "") : "";
}
