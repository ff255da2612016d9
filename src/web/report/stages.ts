import { z } from "zod";
import type { ProgressEvent, Stage } from "../../sync/control.js";

/**
 * The name of each stage as people read it, everywhere. No two are equal, and none is the name of
 * another command (`check`, `repair`). Logs and JSON have the stage itself, so that both keep their
 * meaning when a name changes.
 */
export const STAGE_NAMES: Readonly<Record<Stage, string>> = {
  list: "list",
  extract: "extract",
  media: "media",
  archive: "archive",
  check: "prepare",
  plan: "plan",
  load: "load",
  import: "import",
  repair: "relink",
  publish: "publish",
  undo: "undo",
  verify: "verify",
  read: "read",
  pages: "pages",
};

/** Also of a stage in a log that this version does not know. */
export function stageName(stage: string): string {
  return Object.hasOwn(STAGE_NAMES, stage) ? STAGE_NAMES[stage as Stage] : stage;
}

/**
 * UNIX milliseconds. `started` is the last event of other stages, since a stage reports only
 * finished items; `ended` is its last event.
 */
const spanSchema = z.object({ started: z.number(), ended: z.number(), done: z.number(), failed: z.number() });
type Span = Readonly<z.infer<typeof spanSchema>>;

/** A stage of a run. A stage may repeat: fields outside of `earlier` are of its last time. */
export const stageTimeSchema = spanSchema.extend({
  stage: z.string(),
  /** null: never known. */
  total: z.number().nullable(),
  /** The expected total while it was unknown; null: no estimate. */
  estimate: z.number().nullable().default(null),
  /** `skipped` of `done`, and `toDo` of those ahead, see ProgressEvent. */
  skipped: z.number().default(0),
  toDo: z.number().nullable().default(null),
  /**
   * UNIX milliseconds of the last event before the first item that was not skipped; null: none was
   * done.
   */
  workedFrom: z.number().nullable().default(null),
  /** The stages that may follow, see ProgressEvent; empty: none is known. */
  follows: z.record(z.string(), z.number()).nullable().default({}),
  /** null: it transfers none. */
  bytes: z.number().nullable(),
  earlier: z.array(spanSchema).readonly().default([]),
});
export type StageTime = Readonly<z.infer<typeof stageTimeSchema>>;

/** Records when each stage worked; its memory is bounded. */
interface StageTracker {
  note(event: ProgressEvent, at: number): void;
  /** In the order of their beginnings. */
  stages(): readonly StageTime[];
}

/** A page can show no more. */
const MOST_TIMES = 20;

/** `from`: UNIX milliseconds of the run's beginning. */
export function createStageTracker(from: number): StageTracker {
  const stages = new Map<string, StageTime>();
  let last = { stage: "", at: from };
  return {
    note({ stage, done, total, estimate = null, failed, bytes = null, skipped = 0, toDo = null, follows = {} }, at) {
      const before = stages.get(stage);
      const isAgain = before !== undefined && begins(before, done, last.stage !== stage);
      const started = before === undefined || isAgain ? Math.min(last.at, at) : before.started;
      const earlier = isAgain ? bounded([...before.earlier, spanOf(before)]) : (before?.earlier ?? []);
      const known = isAgain ? null : (before?.workedFrom ?? null);
      const workedFrom = known ?? (done > skipped ? (isAgain || before === undefined ? started : before.ended) : null);
      last = { stage, at };
      const work = { skipped, toDo, workedFrom, follows };
      stages.set(stage, { stage, started, ended: at, done, total, estimate, failed, bytes, ...work, earlier });
    },
    stages: () => [...stages.values()],
  };
}

/**
 * Parallel stages report alternately. A stage repeats when its count restarts, or continues after
 * its end and other stages.
 */
function begins({ done: before, total }: StageTime, done: number, othersSpoke: boolean): boolean {
  return done < before || (othersSpoke && total !== null && before >= total);
}

function spanOf({ started, ended, done, failed }: Span): Span {
  return { started, ended, done, failed };
}

function bounded(spans: readonly Span[]): readonly Span[] {
  const [one, other, ...rest] = spans;
  if (spans.length <= MOST_TIMES || one === undefined || other === undefined) return spans;
  return [
    { started: one.started, ended: other.ended, done: one.done + other.done, failed: one.failed + other.failed },
    ...rest,
  ];
}

type Timed = Pick<StageTime, "started" | "done" | "total"> &
  Partial<Pick<StageTime, "skipped" | "toDo" | "workedFrom" | "estimate">>;

/** Milliseconds of pause between two times, UNIX milliseconds. */
type Paused = (from: number, to: number) => number;

/**
 * Milliseconds left of a stage at its average pace without pauses and skipped items; 0: done; null:
 * unknown, since its end is unknown or nothing is done.
 */
export function timeLeft(stage: Timed, now: number, paused: Paused): number | null {
  const { done, total, estimate = null } = stage;
  if (total !== null && done >= total) return 0;
  const end = total ?? estimate;
  if (end === null || end < done) return null;
  const ahead = stage.toDo ?? end - done;
  if (ahead === 0) return 0;
  const each = millisecondsEach(stage, now, paused);
  return each === null ? null : ahead * each;
}

/** What one item took so far; null: none is done. */
function millisecondsEach(stage: Timed, now: number, paused: Paused): number | null {
  const worked = stage.done - (stage.skipped ?? 0);
  if (worked <= 0) return null;
  const from = stage.workedFrom ?? stage.started;
  return Math.max(0, now - from - paused(from, now)) / worked;
}

/** Stages that run in parallel. */
const TOGETHER: ReadonlySet<string> = new Set(["list", "extract", "media"]);

/** A stage has ended when it is complete, or when a stage that is not parallel started after it. */
export function isOver({ stage, total, done, ended }: StageTime, stages: readonly StageTime[]): boolean {
  if (total !== null && done >= total) return true;
  const startedSince = stages.filter((other) => other.stage !== stage && other.started >= ended);
  if (total === null) return startedSince.length > 0;
  return startedSince.some((other) => !(TOGETHER.has(stage) && TOGETHER.has(other.stage)));
}

/**
 * The relative time of an item in each stage, for stages that have not started: measured with the
 * sample site at 20 requests per second (0.09, 0.22, 0.06 and 0.12 s). Repairs count as publishing,
 * the check as verification.
 */
const WEIGHT: Readonly<Record<string, number>> = { extract: 1, load: 2.4, publish: 0.7, verify: 1.3 };

/**
 * Milliseconds left of a run: of its open stages and of those that follow, each at its own pace, or
 * at the pace of the current stage before it has one. null: unknown yet.
 */
export function runTimeLeft(stages: readonly StageTime[], now: number, paused: Paused): number | null {
  const latest = stages.toSorted((one, other) => other.started - one.started);
  const current = latest.find(({ stage }) => stage in WEIGHT);
  if ((current ?? latest[0])?.follows === null) return null;
  const open = stages.filter((stage) => !isOver(stage, stages));
  const lefts = open.map((stage) => timeLeft(stage, now, paused)).filter((left) => left !== null);
  const later = current === undefined ? [] : laterLeft(current, stages, now, paused);
  if ((open.length > 0 && lefts.length === 0) || later.includes(null)) return null;
  const isTogether = open.every(({ stage }) => TOGETHER.has(stage));
  const sum = (numbers: readonly (number | null)[]): number =>
    numbers.reduce<number>((all, each) => all + (each ?? 0), 0);
  return (isTogether ? Math.max(0, ...lefts) : sum(lefts)) + sum(later);
}

/** Milliseconds of each stage that follows the current one. */
function laterLeft(
  current: StageTime,
  stages: readonly StageTime[],
  now: number,
  paused: Paused,
): readonly (number | null)[] {
  const each = millisecondsEach(current, current.done === current.total ? current.ended : now, paused);
  const isAhead = (name: string): boolean =>
    !stages.some((one) => one.stage === name && one.started >= current.started);
  return Object.entries(current.follows ?? {})
    .filter(([name]) => isAhead(name))
    .map(([name, items]) => {
      if (items === 0) return 0;
      return each === null ? null : (items * each * (WEIGHT[name] ?? 1)) / (WEIGHT[current.stage] ?? 1);
    });
}

/** The stages of commands with several, in their order, without short ones. */
const STAGES: Readonly<Record<string, readonly Stage[]>> = {
  migrate: ["extract", "load", "publish", "verify"],
  retry: ["extract", "load", "publish", "verify"],
  demo: ["extract", "load", "publish", "verify"],
  apply: ["extract", "load", "publish"],
  load: ["load", "publish"],
  restore: ["load", "publish", "verify"],
};

/** What `--verify` reads back; `changed`: what this run writes. */
type Reads = "changed" | "full" | "none";

/**
 * Completes the progress of a command's run: adds the following stages, each with the number of its
 * items. The items of a run that goes on are known when it loads: until then, those of earlier runs
 * may be loaded or not. undefined: not shown, since a stage that compares or loads prepares again
 * what the run has prepared before.
 */
export function stagesAhead(
  command: string,
  verify: Reads = "changed",
): (event: ProgressEvent) => ProgressEvent | undefined {
  const stages = (STAGES[command] ?? []).filter((stage) => stage !== "verify" || verify !== "none");
  const isFull = verify === "full" || command === "restore";
  let isPrepared = false;
  let isKnown = stages.length === 0;
  return (event) => {
    const { stage, done, total, skipped = 0, unchanged = 0 } = event;
    if (stage === "check" && isPrepared) return undefined;
    isPrepared ||= stage === "check" && done === total;
    const at = stages.indexOf(stage);
    if (at < 0 || total === null) return isKnown ? event : { ...event, follows: null };
    if (unchanged > 0 && at < stages.length - 1) return { ...event, follows: null };
    isKnown = true;
    const items = done - skipped + (event.toDo ?? total - done);
    const itemsOf = (later: Stage): number =>
      later === "verify" && isFull ? total : (event.follows?.[later] ?? items);
    return { ...event, follows: Object.fromEntries(stages.slice(at + 1).map((later) => [later, itemsOf(later)])) };
  };
}
