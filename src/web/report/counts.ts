import { z } from "zod";
import { EXIT } from "../../core/errors.js";
import { ITEM_KINDS, type ItemKind, isMediaKey, type Key, kindOf, languageIn } from "../../core/model/key.js";
import type { NotSent, OutcomeCounts, RunAtTarget } from "../../storage/ledger/run-outcomes.js";
import type { TargetStatus } from "../../storage/ledger/target-status.js";
import type { Failure } from "../../storage/workspace/failure-list.js";
import type { ReadonlyWorkspace } from "../../storage/workspace/inspect.js";
import type { Run } from "../../storage/workspace/run-log.js";
import { createFailureTally } from "./failures.js";
import {
  type Causes,
  causesSchema,
  type KindRow,
  kindRowSchema,
  type OutcomeRow,
  type RunCounts,
  type RunReport,
  runCountsSchema,
} from "./run-report.js";

export const NO_COUNTS: RunCounts = {
  kinds: [],
  linked: { count: 0, first: [] },
  leftOut: { count: 0, ways: [], command: null },
  unsupported: { count: 0, causes: [] },
  notSent: { count: 0, causes: [] },
};

/**
 * Counts the outcomes of the items of a run; nothing else counts them. A finished run keeps its
 * counts in its summary. `isChosen`: was the item chosen for the run? Default: all were.
 */
export function countRun(
  sources: Omit<KindSources, "notThere" | "outcomes"> & Partial<Pick<KindSources, "outcomes">>,
  isChosen?: (key: Key) => boolean,
): RunCounts {
  const { target, run } = sources;
  const stored = storedCountsSchema.safeParse(run.summary?.["notThere"]);
  const isOwn = hasOwnCounts(run);
  const outcomes = sources.outcomes ?? outcomesAt(target, run);
  const notThere = isOwn ? [] : notThereOf(target, run, isChosen, outcomes);
  const kinds = kindRows({ ...sources, notThere, outcomes });
  if (stored.success) return { kinds, ...stored.data };
  const first = isOwn || !hasOutcome(outcomes(), LINKED) ? [] : (target?.linked(atTarget(run), NAMED) ?? []);
  return { kinds, linked: { count: totalOf(kinds, "linked"), first }, ...notSentOf(notThere, run) };
}

type Outcomes = ReturnType<TargetStatus["outcomes"]>;

/** Counts the outcomes at the first call. After the last write they stay the same. */
export function outcomesAt(target: TargetStatus | undefined, run: Run): () => Outcomes {
  let known: Outcomes | undefined;
  return () => {
    known ??= target?.outcomes(atTarget(run)) ?? {};
    return known;
  };
}

const LINKED = ["linked"] as const satisfies readonly (keyof OutcomeCounts)[];
const NOT_SENT = ["leftOut", "unsupported", "dropped", "absent"] as const satisfies readonly NotSent["outcome"][];

/** A query for such items costs as much as the counts, and most runs have none. */
function hasOutcome(outcomes: Outcomes, wanted: readonly (keyof OutcomeCounts)[]): boolean {
  return Object.values(outcomes).some((counts) => wanted.some((outcome) => (counts[outcome] ?? 0) > 0));
}

/** Linked items that are listed. */
const NAMED = 200;

const storedCountsSchema = runCountsSchema.omit({ kinds: true });

function hasOwnCounts({ summary }: Run): boolean {
  return summary?.["kinds"] !== undefined;
}

type OutcomeSources = Pick<KindSources, "target" | "run" | "failures"> & Partial<Pick<KindSources, "outcomes">>;

/**
 * The items behind the counts of a run, one by one: failed, left out, not supported, not sent,
 * linked. Of a run that kept its counts only the named ones are known. `isChosen`: see `countRun`.
 */
export function* outcomeRows(sources: OutcomeSources, isChosen?: (key: Key) => boolean): Generator<OutcomeRow> {
  const { target, run, failures } = sources;
  const own = causesSchema.safeParse(run.summary?.["wentWrong"]);
  if (own.success) yield* namedIn("failed", own.data);
  else if (run.command !== "undo")
    for (const { key, stage, reason, remedy } of failures)
      yield { result: "failed", key, stage, reason, remedy, takenInBy: null };
  const stored = storedCountsSchema.safeParse(run.summary?.["notThere"]);
  if (stored.success) return yield* namedInCounts(stored.data);
  const notDone = causesSchema.safeParse(run.summary?.["notDone"]);
  if (notDone.success) return yield* namedIn("not-sent", notDone.data);
  if (hasOwnCounts(run)) return;
  const outcomes = sources.outcomes ?? outcomesAt(target, run);
  for (const row of notThereOf(target, run, isChosen, outcomes)) {
    const result = RESULT_OF[row.outcome];
    if (result === undefined) continue;
    const { key, takenInBy } = row;
    yield { result, key, stage: "check", ...causeOf(row), takenInBy: result === "left-out" ? takenInBy : null };
  }
  if (!hasOutcome(outcomes(), LINKED)) return;
  for (const { key, at } of target?.linked(atTarget(run), EVERY) ?? []) yield linkedRow(key, at);
}

/** SQLite takes it as no limit. */
const EVERY = -1;

const RESULT_OF: Readonly<Partial<Record<NotThere["outcome"], OutcomeRow["result"]>>> = {
  leftOut: "left-out",
  unsupported: "unsupported",
  dropped: "not-sent",
  absent: "not-sent",
};

function* namedInCounts({ leftOut, unsupported, notSent, linked }: Omit<RunCounts, "kinds">): Generator<OutcomeRow> {
  for (const { takenInBy, ...causes } of leftOut.ways) yield* namedIn("left-out", causes, takenInBy);
  yield* namedIn("unsupported", unsupported);
  yield* namedIn("not-sent", notSent);
  for (const { key, at } of linked.first) yield linkedRow(key, at);
}

function* namedIn(
  result: OutcomeRow["result"],
  { causes }: Pick<Causes, "causes">,
  takenInBy: string | null = null,
): Generator<OutcomeRow> {
  for (const { keys, reason, remedy, stages } of causes)
    for (const key of keys) yield { result, key, stage: stages.join(", "), reason, remedy, takenInBy };
}

function linkedRow(key: string, at: string): OutcomeRow {
  const reason = `It existed on the target before, as ${at}. References lead to it, and it does not change.`;
  return { result: "linked", key, stage: "load", reason, remedy: "", takenInBy: null };
}

/** Items of all kinds with an outcome. */
export function totalOf(kinds: readonly KindRow[], outcome: Exclude<keyof KindRow, "kind">): number {
  return kinds.reduce((sum, row) => sum + row[outcome], 0);
}

interface KindSources {
  readonly workspace: ReadonlyWorkspace;
  /** undefined: the run wrote to no known site. */
  readonly target: TargetStatus | undefined;
  readonly run: Run;
  readonly failures: readonly Failure[];
  readonly losses: readonly Pick<RunReport["losses"][number], "kind" | "level" | "count">[];
  /** Items of the run that are not at the target. */
  readonly notThere: readonly NotThere[];
  readonly outcomes: () => Outcomes;
}

type Counted = Omit<KindRow, "kind" | "losses">;

export const NOTHING_COUNTED: Counted = {
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

/** Leaves out kinds without items. */
function kindRows(sources: KindSources): RunReport["kinds"] {
  const own = ownKinds.safeParse(sources.run.summary?.["kinds"]);
  if (own.success) return ownRows(own.data);
  const { losses } = sources;
  const counted = countedIn(sources);
  return ITEM_KINDS.flatMap((kind) => {
    const row = { ...NOTHING_COUNTED, ...counted(kind) };
    if (isEmpty(row)) return [];
    const lost = losses.filter((group) => group.kind === kind && group.level !== "note");
    return [{ kind, ...row, losses: lost.reduce((sum, { count }) => sum + count, 0) }];
  });
}

function countedIn(sources: KindSources): (kind: ItemKind) => Partial<Counted> {
  const { workspace, target, run, failures, notThere } = sources;
  if (run.command === "undo") return undoneIn(target, run);
  const read = readIn(workspace, run);
  if (target === undefined) return (kind) => onlyRead(kind, { workspace, run, failures, read: read(kind) });
  const outcomes = sources.outcomes();
  // A restore to the origin site that stopped early: unreached items are not in the workspace, and
  // most exist at the site.
  if (workspace.source()?.root === target.root) return (kind) => onlyChanged(outcomes[kind] ?? {});
  // Records are sent to no site.
  return (kind) => {
    const counts = asCounted(outcomes[kind] ?? {}, kind, notThere);
    return { read: kind === "record" ? 0 : read(kind), ...asRow(counts, isStopped(run)) };
  };
}

/** Of an undo that was killed, or still runs. */
function undoneIn(target: TargetStatus | undefined, { details }: Run): (kind: ItemKind) => Partial<Counted> {
  const undone = typeof details["undoes"] === "string" ? target?.undone(details["undoes"]) : undefined;
  return (kind) => undone?.[kind] ?? {};
}

function onlyChanged({ created = 0, updated = 0, deleted = 0, failed = 0 }: OutcomeCounts): Partial<Counted> {
  return { created, updated, deleted, failed };
}

/** Moves each item to the column of this run. */
function asCounted(counts: OutcomeCounts, kind: ItemKind, notThere: readonly NotThere[]): OutcomeCounts {
  const moved = { ...counts };
  for (const { key, before, outcome } of notThere) {
    if (before === outcome || kindOf(key) !== kind) continue;
    moved[before] = (moved[before] ?? 0) - 1;
    moved[outcome] = (moved[outcome] ?? 0) + 1;
  }
  return moved;
}

/** A stopped run has not decided about absent items. */
function asRow({ dropped = 0, absent = 0, ...counts }: OutcomeCounts, stopped: boolean): Partial<Counted> {
  return { ...counts, ...(stopped ? { notSent: dropped, waiting: absent } : { notSent: dropped + absent }) };
}

interface OnlyRead extends Pick<KindSources, "workspace" | "run" | "failures"> {
  readonly read: number;
}

/** Without a target. A restore into a folder reads from archives. */
function onlyRead(kind: ItemKind, { workspace, run, failures, read }: OnlyRead): Partial<Counted> {
  const failed = new Set(failures.filter(({ key }) => kindOf(key) === kind).map(({ key }) => key));
  const stale = [...failed].filter((key) => workspace.items.entry(key)?.state === "present").length;
  const whole = workspace.items.counts()[kind].present - stale;
  if (run.command === "restore") return { read: whole, failed: failed.size };
  return { read, unchanged: Math.max(0, whole - read), failed: failed.size };
}

/** Commands that read a source. */
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

/** The counts of the extract's summary, else what the workspace read since the run began. */
function readIn(workspace: ReadonlyWorkspace, run: Run): (kind: ItemKind) => number {
  const extracted = extractedSchema.safeParse(run.summary?.["extracted"]);
  if (extracted.success) return (kind) => extracted.data.kinds[kind]?.read ?? 0;
  if (!READS.has(run.command) || !isStopped(run)) return () => 0;
  const since = workspace.readSince(run.started);
  return (kind) => since[kind] ?? 0;
}

const extractedSchema = z.object({ kinds: z.record(z.string(), z.object({ read: z.number() })) });

/**
 * Counts of runs that the ledger does not know as a load: an undo, training packages, bundles, a
 * restore to the origin site.
 */
const ownKinds = z.record(z.string(), kindRowSchema.omit({ kind: true }));

/** Kinds of items in their order, then other kinds. */
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

/** Reasons for absent items that no rule explains. */
const DEFAULT_CAUSES = {
  medium: {
    reason:
      "No loaded item uses this file, or the target does not accept it. The losses of the items that use it tell why.",
    remedy: "",
  },
  translation: {
    reason: "The guide is not on the target, or the target does not accept translations of guides.",
    remedy: "",
  },
  item: {
    reason: "The item was not chosen for this run.",
    remedy: "Load it with --include, or load without a selection.",
  },
} as const;

interface NotThere extends Omit<NotSent, "outcome"> {
  readonly outcome: NotSent["outcome"] | "unchanged";
  /** The outcome by the ledger, which does not know the choice of a run. */
  readonly before: NotSent["outcome"];
}

/**
 * Items whose current state is not on the target, without failed ones. A stopped run lists only
 * those that a rule excludes. `isChosen`: was the item chosen for the run? Others keep the outcome
 * of an earlier run. Default: all were.
 */
export function notThereOf(
  target: TargetStatus | undefined,
  run: Run,
  isChosen: (key: Key) => boolean = () => true,
  outcomes = outcomesAt(target, run),
): readonly NotThere[] {
  if (!hasOutcome(outcomes(), NOT_SENT)) return [];
  const rows = [...(target?.notSent(atTarget(run), !isStopped(run)) ?? [])];
  const out = new Map(
    rows.filter(({ key, outcome }) => outcome === "leftOut" && isChosen(key)).map((row) => [row.key, row]),
  );
  return rows.map((row): NotThere => {
    const { key, outcome: before } = row;
    // A translation follows its guide and has no reason of its own.
    const guide = before === "absent" && languageIn(key) !== undefined ? out.get(guideOf(key)) : undefined;
    if (guide !== undefined && isChosen(key))
      return {
        ...row,
        before,
        outcome: "leftOut",
        takenInBy: guide.takenInBy,
        reason: "The guide of this translation is left out.",
      };
    if (isChosen(key) || (before !== "leftOut" && before !== "unsupported")) return { ...row, before };
    return { ...row, before, outcome: row.isOnTarget ? "unchanged" : "absent", reason: null, remedy: null };
  });
}

function guideOf(translation: Key): Key {
  return translation.replace(/@[^+]*/, "") as Key;
}

type ByWhy = Pick<RunCounts, "leftOut" | "unsupported" | "notSent">;

const NOTHING_LEFT_OUT: ByWhy = {
  leftOut: { count: 0, ways: [], command: null },
  unsupported: { count: 0, causes: [] },
  notSent: { count: 0, causes: [] },
};

/** Groups items by reason; runs with own counts did so at their end. */
function notSentOf(rows: readonly NotThere[], run: Run): ByWhy {
  const own = causesSchema.safeParse(run.summary?.["notDone"]);
  if (own.success) return { ...NOTHING_LEFT_OUT, notSent: own.data };
  const out = rows.filter(({ outcome }) => outcome === "leftOut");
  const ways = [...new Set(out.map(({ takenInBy }) => takenInBy))].map((takenInBy) => ({
    takenInBy,
    command: null,
    ...causesOf(out.filter((row) => row.takenInBy === takenInBy)),
  }));
  const isOther = ({ outcome }: NotThere): boolean => outcome === "dropped" || outcome === "absent";
  return {
    leftOut: { count: out.length, ways, command: null },
    unsupported: causesOf(rows.filter(({ outcome }) => outcome === "unsupported")),
    notSent: causesOf(rows.filter(isOther)),
  };
}

function causesOf(rows: readonly NotThere[]): Causes {
  const tally = createFailureTally();
  for (const row of rows) tally.add({ stage: "load", key: row.key, target: null, ...causeOf(row) });
  return { count: tally.count, causes: tally.causes().map((cause) => ({ ...cause, stages: ["check"] })) };
}

function causeOf({ key, reason, remedy }: Pick<NotThere, "key" | "reason" | "remedy">) {
  return reason === null ? defaultCause(key) : { reason, remedy: remedy ?? "" };
}

function defaultCause(key: Key): (typeof DEFAULT_CAUSES)[keyof typeof DEFAULT_CAUSES] {
  if (isMediaKey(key)) return DEFAULT_CAUSES.medium;
  return languageIn(key) === undefined ? DEFAULT_CAUSES.item : DEFAULT_CAUSES.translation;
}

/** Exit codes of runs that reached their end. */
const FINISHED: ReadonlySet<number | null> = new Set([
  EXIT.ok,
  EXIT.someFailed,
  EXIT.differences,
  EXIT.planHasChanges,
  EXIT.losses,
]);

/** Whether a run was stopped or killed, or is running. */
export function isStopped({ exitCode }: { readonly exitCode: number | null }): boolean {
  return !FINISHED.has(exitCode);
}

/** Whether a run only predicts another one. */
export function isPlan({ command, details }: Pick<Run, "command" | "details">): boolean {
  return command === "plan" || details["dryRun"] === true;
}

function atTarget({ id, command, started, details }: Run): RunAtTarget {
  const { began } = details;
  return { id, began: typeof began === "number" ? began : started * 1000, compares: command === "verify" };
}

export interface KindColumn {
  readonly name: string;
  readonly of: Exclude<keyof KindRow, "kind">;
}

/** `always`: also where all rows have 0. */
type Column = KindColumn & { readonly always?: true };

const READ: readonly Column[] = [
  { name: "read", of: "read", always: true },
  { name: "unchanged", of: "unchanged", always: true },
  { name: "failed", of: "failed", always: true },
];
const WRITTEN: readonly Column[] = [
  { name: "read", of: "read" },
  { name: "created", of: "created", always: true },
  { name: "updated", of: "updated", always: true },
  { name: "deleted", of: "deleted" },
  { name: "unchanged", of: "unchanged" },
  { name: "linked", of: "linked" },
  { name: "kept", of: "left" },
  { name: "left out", of: "leftOut" },
  { name: "not supported", of: "unsupported" },
  { name: "not sent", of: "notSent" },
  { name: "not reached", of: "waiting" },
  { name: "failed", of: "failed", always: true },
  { name: "values lost", of: "losses", always: true },
];
const COMPARED: readonly Column[] = [
  { name: "read", of: "read" },
  { name: "compared", of: "unchanged", always: true },
  { name: "linked", of: "linked" },
  { name: "not compared", of: "left" },
  { name: "left out", of: "leftOut" },
  { name: "not supported", of: "unsupported" },
  { name: "not sent", of: "notSent" },
  { name: "failed", of: "failed", always: true },
];
/** An undo deletes created items, and restores changed and deleted ones. */
const UNDONE: readonly Column[] = [
  { name: "deleted", of: "deleted", always: true },
  { name: "restored", of: "updated", always: true },
  { name: "recreated", of: "created" },
  { name: "unchanged", of: "unchanged" },
  { name: "kept", of: "left" },
  { name: "not reached", of: "waiting" },
  { name: "failed", of: "failed", always: true },
];
/** A restore to the origin site of the snapshot. */
const RESTORED: readonly Column[] = [
  { name: "recreated", of: "created", always: true },
  { name: "restored", of: "updated", always: true },
  { name: "unchanged", of: "unchanged", always: true },
  { name: "kept", of: "left" },
  { name: "not available", of: "notSent" },
  { name: "not reached", of: "waiting" },
  { name: "failed", of: "failed", always: true },
];

const IMPORTED: readonly Column[] = [
  { name: "new modules", of: "created", always: true },
  { name: "new versions", of: "updated", always: true },
  { name: "already imported", of: "unchanged" },
  { name: "refused", of: "notSent" },
  { name: "not reached", of: "waiting" },
  { name: "failed", of: "failed", always: true },
];

const COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  undo: UNDONE,
  verify: COMPARED,
  "import-training": IMPORTED,
};

/** The columns with headings: those of every run of this kind, and others with a count. */
export function kindColumns({
  kinds,
  run,
  source,
  target,
}: Pick<RunReport, "kinds" | "source" | "target"> & {
  readonly run: Pick<RunReport["run"], "command">;
}): readonly KindColumn[] {
  const own = COLUMNS[run.command];
  const isOriginSite = run.command === "restore" && source !== null && source.root === target?.root;
  const columns = target?.reached !== true ? READ : (own ?? (isOriginSite ? RESTORED : WRITTEN));
  return columns.filter(({ of, always }) => always === true || kinds.some((row) => row[of] > 0));
}
