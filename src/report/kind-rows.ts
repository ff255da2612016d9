import { ITEM_KINDS, kindOf } from "../model/key.js";
import type { Failure } from "../workspace/failure-list.js";
import type { ReadonlyWorkspace } from "../workspace/inspect.js";
import type { TargetStatus } from "../workspace/ledger/target-status.js";
import type { Run } from "../workspace/run-log.js";
import type { RunReport } from "./run-report.js";

/** What the rows are counted from. */
export interface KindSources {
  readonly workspace: ReadonlyWorkspace;
  /** undefined: the run wrote to no site. */
  readonly target: TargetStatus | undefined;
  readonly run: Run;
  readonly failures: readonly Failure[];
  readonly losses: RunReport["losses"];
}

/** What the run did with the items of each kind; kinds of which there is nothing are absent. Of a run that only read: what it read, as `updated`. */
export function kindRows({ workspace, target, run, failures, losses }: KindSources): RunReport["kinds"] {
  const counts = workspace.items.counts();
  const changes = target?.changes(run.id) ?? {};
  const read = readOf(run);
  return ITEM_KINDS.flatMap((kind) => {
    const failed = new Set(failures.filter(({ key }) => kindOf(key) === kind).map(({ key }) => key)).size;
    const lost = losses.filter((group) => group.kind === kind && group.level !== "note");
    const { created, updated, deleted } = changes[kind] ?? { created: 0, updated: read[kind] ?? 0, deleted: 0 };
    const there = target === undefined ? counts[kind].present : (target.written[kind] ?? 0);
    const left = Math.max(0, there - created - updated);
    const row = { kind, created, updated, deleted, left, failed };
    if (Object.values(row).every((value) => value === 0 || value === kind)) return [];
    return [{ ...row, losses: lost.reduce((sum, { count }) => sum + count, 0) }];
  });
}

/** How many items of each kind an extract read, as its summary says. */
function readOf({ summary, details }: Run): Readonly<Record<string, number>> {
  const extracted = summary?.["extracted"];
  if (details["target"] !== undefined || typeof extracted !== "object" || extracted === null) return {};
  const kinds = "kinds" in extracted ? extracted.kinds : undefined;
  if (typeof kinds !== "object" || kinds === null) return {};
  return Object.fromEntries(
    Object.entries(kinds).map(([kind, row]: [string, unknown]) => [kind, readIn(row)] as const),
  );
}

function readIn(row: unknown): number {
  return typeof row === "object" && row !== null && "read" in row && typeof row.read === "number" ? row.read : 0;
}
