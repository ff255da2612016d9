import type { Key } from "../../core/model/key.js";
import type { ReadonlyWorkspace } from "../../storage/workspace/inspect.js";
import type { Run } from "../../storage/workspace/run-log.js";
import { type KindSources, kindRows } from "./kind-rows.js";
import { notSentOf, notThereOf } from "./not-sent.js";
import { atTarget, isPlan } from "./run-at-target.js";
import { type KindRow, type RunCounts, runCountsSchema } from "./run-report.js";

/** Of a run of which nothing can be counted. */
export const NO_COUNTS: RunCounts = {
  kinds: [],
  linked: { count: 0, first: [] },
  leftOut: { count: 0, ways: [] },
  unsupported: { count: 0, causes: [] },
  notSent: { count: 0, causes: [] },
};

/**
 * What became of the items of a run: the one place that counts them. A run that has ended has kept its counts in its summary, and is not counted
 * again. `isChosen`: was the item chosen for the run? Default: all were.
 */
export function countRun(sources: Omit<KindSources, "notThere">, isChosen?: (key: Key) => boolean): RunCounts {
  const { target, run } = sources;
  const told = toldSchema.safeParse(run.summary?.["notThere"]);
  const isOwn = run.summary?.["kinds"] !== undefined;
  const notThere = isOwn ? [] : notThereOf(target, run, isChosen);
  const kinds = kindRows({ ...sources, notThere });
  if (told.success) return { kinds, ...told.data };
  const first = isOwn ? [] : (target?.linked(atTarget(run), NAMED) ?? []);
  return { kinds, linked: { count: totalOf(kinds, "linked"), first }, ...notSentOf(notThere, run) };
}

/** Linked items that are named. */
const NAMED = 200;

const toldSchema = runCountsSchema.omit({ kinds: true });

/** The counts of a run that is in the log, whether it has ended or not; null: it came to no target. */
export function countsInLog(workspace: ReadonlyWorkspace, run: Run): RunCounts | null {
  const target = workspace.targets().find(({ root }) => root === run.details["target"]);
  if (isPlan(run) || (target === undefined && run.summary?.["kinds"] === undefined)) return null;
  const failures = workspace.failures.list().filter((one) => one.target === null || one.target === target?.root);
  return countRun({ workspace, target, run, failures, losses: target?.losses() ?? [] });
}

/** How many items of all kinds came to something. */
export function totalOf(kinds: readonly KindRow[], outcome: Exclude<keyof KindRow, "kind">): number {
  return kinds.reduce((sum, row) => sum + row[outcome], 0);
}
