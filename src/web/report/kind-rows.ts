import { z } from "zod";
import { ITEM_KINDS, type ItemKind, kindOf } from "../../core/model/key.js";
import type { Failure } from "../../storage/workspace/failure-list.js";
import type { ReadonlyWorkspace } from "../../storage/workspace/inspect.js";
import type { OutcomeCounts } from "../../storage/ledger/run-outcomes.js";
import type { TargetStatus } from "../../storage/ledger/target-status.js";
import type { Run } from "../../storage/workspace/run-log.js";
import type { NotThere } from "./not-sent.js";
import { atTarget, isStopped } from "./run-at-target.js";
import { type KindRow, kindRowSchema, type RunReport } from "./run-report.js";

/** What the rows are counted from. */
export interface KindSources {
  readonly workspace: ReadonlyWorkspace;
  /** undefined: the run wrote to no site that the workspace knows. */
  readonly target: TargetStatus | undefined;
  readonly run: Run;
  readonly failures: readonly Failure[];
  readonly losses: readonly Pick<RunReport["losses"][number], "kind" | "level" | "count">[];
  /** What of the run is not at the target. */
  readonly notThere: readonly NotThere[];
}

type Counted = Omit<KindRow, "kind" | "losses">;

/** A row in which nothing is counted yet. */
export const NOTHING: Counted = {
  read: 0,
  created: 0,
  updated: 0,
  deleted: 0,
  unchanged: 0,
  linked: 0,
  left: 0,
  leftOut: 0,
  unsupported: 0,
  notSent: 0,
  waiting: 0,
  failed: 0,
};

/** What became of the items of each kind in a run; kinds of which there is nothing are absent. */
export function kindRows(sources: KindSources): RunReport["kinds"] {
  const own = ownKinds.safeParse(sources.run.summary?.["kinds"]);
  if (own.success) return ownRows(own.data);
  const { losses } = sources;
  const counted = countedIn(sources);
  return ITEM_KINDS.flatMap((kind) => {
    const row = { ...NOTHING, ...counted(kind) };
    if (isEmpty(row)) return [];
    const lost = losses.filter((group) => group.kind === kind && group.level !== "note");
    return [{ kind, ...row, losses: lost.reduce((sum, { count }) => sum + count, 0) }];
  });
}

function countedIn({ workspace, target, run, failures, notThere }: KindSources): (kind: ItemKind) => Partial<Counted> {
  if (run.command === "undo") return undoneIn(target, run);
  const read = readIn(workspace, run);
  if (target === undefined) return (kind) => onlyRead(kind, { workspace, run, failures, read: read(kind) });
  const outcomes = target.outcomes(atTarget(run));
  // What a stopped restore of a site to itself had not come to is not in the workspace, and stands there for the most part.
  if (workspace.source()?.root === target.root) return (kind) => onlyChanged(outcomes[kind] ?? {});
  // Records go to no site.
  return (kind) => {
    const counts = asCounted(outcomes[kind] ?? {}, kind, notThere);
    return { read: kind === "record" ? 0 : read(kind), ...asRow(counts, isStopped(run)) };
  };
}

/** Of an undo that was killed, or is on. */
function undoneIn(target: TargetStatus | undefined, { details }: Run): (kind: ItemKind) => Partial<Counted> {
  const undone = typeof details["undoes"] === "string" ? target?.undone(details["undoes"]) : undefined;
  return (kind) => undone?.[kind] ?? {};
}

function onlyChanged({ created = 0, updated = 0, deleted = 0, failed = 0 }: OutcomeCounts): Partial<Counted> {
  return { created, updated, deleted, failed };
}

/** The ledger's counts with each item in the column that it counts as in this run. */
function asCounted(counts: OutcomeCounts, kind: ItemKind, notThere: readonly NotThere[]): OutcomeCounts {
  const moved = { ...counts };
  for (const { key, before, outcome } of notThere) {
    if (before === outcome || kindOf(key) !== kind) continue;
    moved[before] = (moved[before] ?? 0) - 1;
    moved[outcome] = (moved[outcome] ?? 0) + 1;
  }
  return moved;
}

/** A stopped run has not said of what is absent that it is not to be sent. */
function asRow({ dropped = 0, absent = 0, ...counts }: OutcomeCounts, stopped: boolean): Partial<Counted> {
  return { ...counts, ...(stopped ? { notSent: dropped, waiting: absent } : { notSent: dropped + absent }) };
}

interface OnlyRead extends Pick<KindSources, "workspace" | "run" | "failures"> {
  readonly read: number;
}

/** Nothing is known at any target. A folder that a snapshot was restored into was read from its archives. */
function onlyRead(kind: ItemKind, { workspace, run, failures, read }: OnlyRead): Partial<Counted> {
  const failed = new Set(failures.filter(({ key }) => kindOf(key) === kind).map(({ key }) => key));
  const stale = [...failed].filter((key) => workspace.items.entry(key)?.state === "present").length;
  const whole = workspace.items.counts()[kind].present - stale;
  if (run.command === "restore") return { read: whole, failed: failed.size };
  return { read, unchanged: Math.max(0, whole - read), failed: failed.size };
}

/** Commands that read a source; what others find in the workspace was read before. */
const READS: ReadonlySet<string> = new Set([
  "extract",
  "migrate",
  "backup",
  "retry",
  "apply",
  "plan",
  "verify",
  "demo",
]);

/** What was read of each kind: as the summary of the extract says, else what the workspace has from this run. */
function readIn(workspace: ReadonlyWorkspace, run: Run): (kind: ItemKind) => number {
  const extracted = extractedSchema.safeParse(run.summary?.["extracted"]);
  if (extracted.success) return (kind) => extracted.data.kinds[kind]?.read ?? 0;
  if (!READS.has(run.command) || !isStopped(run)) return () => 0;
  const since = workspace.readSince(run.started);
  return (kind) => since[kind] ?? 0;
}

const extractedSchema = z.object({ kinds: z.record(z.string(), z.object({ read: z.number() })) });

/** Of a run that counted by itself, since the ledger doesn't know it as a load: an undo, packages, bundles, and a restore to the snapshot's own site. */
const ownKinds = z.record(z.string(), kindRowSchema.omit({ kind: true }));

/** Kinds of items in their order, then what is none. */
function ownRows(own: z.infer<typeof ownKinds>): RunReport["kinds"] {
  const others = Object.keys(own).filter((kind) => !ITEM_KINDS.some((known) => known === kind));
  return [...ITEM_KINDS, ...others].flatMap((kind) => {
    const row = own[kind];
    return row === undefined || isEmpty(row) ? [] : [{ kind, ...row }];
  });
}

function isEmpty(row: Readonly<Record<string, number>>): boolean {
  return Object.values(row).every((value) => value === 0);
}
