import type { Loaded, Operation } from "../contracts.js";
import type { Issue } from "../model/issue.js";
import { type Key, kindOf } from "../model/key.js";
import { type Bench, benchOf, type LoadParts } from "./bench.js";
import { type Checked, check } from "./check.js";
import { halt } from "./halt.js";
import { isDone } from "./load-item.js";
import { prepare } from "./prepare.js";

/** What would become of an item. */
export interface PlannedItem {
  readonly key: Key;
  readonly title: string;
  readonly action: "create" | "change" | "leave" | "refuse" | "adopt";
  /** Why it comes along, when it wasn't asked for by name. */
  readonly because: string | null;
  /** What would be done, in order: `guide 12 "…", step 3`. */
  readonly steps: readonly string[];
  /** Requests that change something; reads are not among them. */
  readonly requests: number;
  readonly issues: readonly Issue[];
}

export interface Plan {
  readonly target: string;
  readonly items: readonly PlannedItem[];
  readonly counts: Readonly<Record<PlannedItem["action"], number>>;
  readonly requests: number;
  /** At the rate of the target; null without a limit. */
  readonly seconds: number | null;
}

export interface PlanParts extends LoadParts {
  /** Writes a second at the target; null: no limit. */
  readonly rate: number | null;
  /** Why items come that were not asked for, from the selection. */
  readonly because: ReadonlyMap<Key, string>;
}

/** Says what a load would do, item by item. Nothing is written to the target. */
export async function plan(parts: PlanParts): Promise<Plan> {
  const bench = await benchOf(parts);
  const checked = await check(bench);
  const { categories, wikis, guides, refused } = checked.map;
  const uploads = new Set<string>();
  const items: PlannedItem[] = [];
  for (const key of [...categories, ...wikis, ...guides, ...refused.keys()]) {
    halt(bench.control);
    items.push(...(await planned(bench, checked, parts, key, uploads)));
    bench.control.progress({ stage: "check", done: items.length, total: null, key, failed: refused.size });
  }
  const requests = items.reduce((sum, item) => sum + item.requests, 0);
  const count = (action: PlannedItem["action"]): number => items.filter((item) => item.action === action).length;
  return {
    target: bench.survey.identity.root,
    items,
    counts: {
      create: count("create"),
      change: count("change"),
      leave: count("leave"),
      refuse: count("refuse"),
      adopt: count("adopt"),
    },
    requests,
    seconds: parts.rate === null ? null : Math.ceil(requests / parts.rate),
  };
}

async function planned(
  bench: Bench,
  checked: Checked,
  parts: PlanParts,
  key: Key,
  uploads: Set<string>,
): Promise<readonly PlannedItem[]> {
  const stored = await bench.workspace.items.get(key);
  const title = bench.workspace.items.entry(key)?.title ?? key;
  const common = { key, title, because: parts.because.get(key) ?? null };
  const result: PlannedItem[] = [];
  for (const { item, issues, refused } of stored === undefined ? [] : prepare(stored, bench.transforms, checked.fit)) {
    if (refused.length > 0) {
      result.push({ ...common, action: "refuse", steps: [], requests: 0, issues: refused });
      continue;
    }
    const loaded = await bench.ledger.loaded(item.key);
    const todo = bench.target.plan(item, loaded).filter((operation) => !isDone(operation, loaded));
    const action = await actionOf(bench, key, loaded, todo);
    const isWritten = action === "create" || action === "change";
    const media = isWritten ? await uploadsOf(bench, checked, todo, uploads) : [];
    const steps = isWritten ? [...media, ...todo.map((operation) => operation.label)] : [];
    result.push({
      ...common,
      action,
      steps,
      requests: steps.length,
      issues: action === "refuse" ? [existing(item.key)] : [...issues, ...bench.target.losses(item)],
    });
  }
  return result;
}

function existing(key: Key): Issue {
  return {
    code: "existing",
    level: "error",
    key,
    path: "",
    message: "A page of this title is at the target already and is not ours; --on-existing is fail.",
    remedy: "Choose --on-existing adopt (use it as it is) or update (put the source's content over it).",
  };
}

async function actionOf(
  { target, control, options }: Bench,
  key: Key,
  loaded: Loaded,
  todo: readonly Operation[],
): Promise<PlannedItem["action"]> {
  const written = loaded.written.get(key);
  if (written !== undefined) return todo.length === 0 ? "leave" : "change";
  const isPage = kindOf(key) !== "guide";
  return isPage && (await target.holds(key, restAsId(key), control.abort)) ? EXISTING[options.onExisting] : "create";
}

/** What `--on-existing` makes of a page that is there and not ours. */
const EXISTING = { adopt: "adopt", update: "change", fail: "refuse" } as const;

/** The id that the page would have: `ITEM/Shuttle`, or a category's title. */
function restAsId(key: Key): string {
  return key.slice(key.indexOf("/") + 1);
}

async function uploadsOf(
  bench: Bench,
  checked: Checked,
  operations: readonly Operation[],
  seen: Set<string>,
): Promise<readonly string[]> {
  const labels: string[] = [];
  for (const key of operations.flatMap((operation) => operation.needs)) {
    if (checked.map.mediaRefused.has(key) || (await bench.ledger.idOf(key)) !== undefined) continue;
    const item = await bench.workspace.items.get(key);
    if (
      item === undefined ||
      !("content" in item.body) ||
      item.body.content === null ||
      seen.has(item.body.content.sha256)
    )
      continue;
    seen.add(item.body.content.sha256);
    labels.push(`upload of ${key}`);
  }
  return labels;
}
