import { messageOf } from "../../core/errors.js";
import { type Issue, isLeftOut } from "../../core/model/issue.js";
import type { Item } from "../../core/model/item.js";
import { type Key, kindOf } from "../../core/model/key.js";
import type { JsonObject } from "../../core/util/json.js";
import { resultOf } from "./entries.js";
import type { RunReport } from "./run-report.js";

type LossGroup = RunReport["losses"][number];

/** Examples of each group; the ledger has all. */
const EXAMPLES = 10;

interface LossSources {
  /** undefined: not stored. May throw: the report shows the loss without texts, and why. */
  item(key: Key): Promise<Item | undefined>;
  /** May throw too. */
  readonly left: LeftOf;
}

/** Groups issues by kind and code: errors, losses, notes, each with the most frequent first. */
export async function groupLosses(issues: Iterable<Issue>, sources: LossSources): Promise<readonly LossGroup[]> {
  const groups = new Map<string, { readonly first: Issue[]; count: number }>();
  for (const issue of issues) {
    // A left-out item is not a lost value; the page lists it elsewhere.
    if (isLeftOut(issue)) continue;
    const name = `${issue.level} ${resultOf(issue)} ${kindOf(issue.key)} ${issue.code}`;
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
  const texts = issue.texts ?? { ours: null, theirs: null };
  const bare: Example = { issue, title: "", atSource: texts.ours, atTarget: texts.theirs, unread: null };
  try {
    return { ...bare, ...(await lookedUp(issue, sources)) };
  } catch (error) {
    return { ...bare, unread: messageOf(error) };
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

/** The text of an item at a path like `steps[3].lines[0].text`; null: no text there. */
export function sourceText(item: Item, path: string): string | null {
  const parts = [...path.matchAll(/([A-Za-z]+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? Number(index));
  let value: unknown = item.body;
  for (const part of parts) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return null;
    value = (value as Readonly<Record<string | number, unknown>>)[part];
  }
  return parts.length > 0 && typeof value === "string" ? value : null;
}

/** The last-written body, with the names of the write API. */
type LeftOf = (key: Key) => JsonObject | undefined;

/**
 * The last-written text for a path of an item. A line that was split becomes all lines of its step.
 * null: unknown.
 */
export function targetText(item: Item, path: string, left: LeftOf): string | null {
  const line = /^steps\[(\d+)\]\.lines\[(\d+)\]\.text$/.exec(path);
  if (line !== null && item.kind === "guide") return lineText(item.body.steps[Number(line[1])], Number(line[2]), left);
  const title = /^steps\[(\d+)\]\.title$/.exec(path);
  if (title !== null && item.kind === "guide")
    return textField(stepLeft(item.body.steps[Number(title[1])], left), "title");
  return textField(left(item.key), NAMES[path] ?? path);
}

type StepOf = { readonly key: Key; readonly lines: readonly unknown[] };

/** Fields with another name in the write API. */
const NAMES: Readonly<Record<string, string>> = { displayTitle: "display_title", pageTitle: "page_title" };

function stepLeft(step: StepOf | undefined, left: LeftOf): ReturnType<LeftOf> {
  return step === undefined ? undefined : left(step.key);
}

function lineText(step: StepOf | undefined, place: number, left: LeftOf): string | null {
  const lines = stepLeft(step, left)?.["lines"];
  if (!Array.isArray(lines) || step === undefined) return null;
  const texts = lines.map((line: unknown) => textField(line, "text")).filter((text) => text !== null);
  return texts.length === step.lines.length ? (texts[place] ?? null) : texts.join("\n");
}

function textField(body: unknown, name: string): string | null {
  if (typeof body !== "object" || body === null) return null;
  const value = (body as JsonObject)[name];
  return typeof value === "string" ? value : null;
}
