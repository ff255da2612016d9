import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { ITEM_KINDS, type ItemKind, type Key, kindOf } from "../../core/model/key.js";
import type { SiteIdentity } from "../../core/model/site.js";
import { oldLinks } from "../../sync/map/old-links.js";
import { countsInLog } from "../../web/report/count-run.js";
import { readCourse } from "../../web/report/course-file.js";
import { keptReport } from "../../web/report/kept-report.js";
import { runTimeLeft } from "../../web/report/live/time-left.js";
import { isPlan } from "../../web/report/run-at-target.js";
import type { RunCounts, RunReport } from "../../web/report/run-report.js";
import { type Stopped, stoppedIn } from "../../web/report/stopped.js";
import { pausedByHand } from "../../web/report/timeline.js";
import type { FailureStage } from "../../storage/workspace/failure-list.js";
import type { ReadonlyWorkspace } from "../../storage/workspace/inspect.js";
import { layoutOf } from "../../storage/workspace/layout.js";
import type { StateCounts, TargetStatus } from "../../storage/ledger/target-status.js";
import type { ModuleStatus } from "../../storage/workspace/module-status.js";
import type { Run } from "../../storage/workspace/run-log.js";
import { meaningOf } from "../exit-codes.js";

/** How far a workspace is, as plain data: what `status --json` prints. */
export interface StatusFacts {
  readonly workspace: string;
  readonly source: { readonly name: string; readonly root: string } | null;
  /** Who runs on it now. */
  readonly running: {
    readonly command: string;
    readonly pid: number;
    readonly host: string;
    readonly since: string;
  } | null;
  /** Since when somebody holds the run up that is on; null: nobody does. */
  readonly paused: string | null;
  readonly lastRun: (RunFacts & LastRunFacts) | null;
  /** It and those before it, the newest first; only a few. */
  readonly runs: readonly RunFacts[];
  /** What lies in the workspace, and how much of it failed on its way, at the source or at the target that was used last. */
  readonly items: Readonly<
    Record<ItemKind, { readonly present: number; readonly gone: number; readonly failed: number }>
  >;
  readonly targets: readonly TargetFacts[];
  /** The sites that training packages went into. */
  readonly modules: readonly ModuleStatus[];
  readonly failures: readonly {
    readonly stage: FailureStage;
    readonly key: Key;
    /** Root of the target at which it failed; null: at the source. */
    readonly target: string | null;
    readonly reason: string;
    readonly remedy: string;
  }[];
  /** Finished in the last minute. */
  readonly lastMinute: { readonly items: number; readonly operations: number };
  /** Seconds until the run ends, at the pace that each of its stages had so far; null when that can't be told. */
  readonly secondsLeft: number | null;
}

export interface RunFacts {
  /** As `report --run` takes it. */
  readonly id: string;
  readonly command: string;
  readonly started: string;
  /** The last sign of life. */
  readonly active: string;
  /** null while it runs, and for ever when it was killed. */
  readonly ended: string | null;
  readonly exitCode: number | null;
  /** What its exit code means; null: it has none. */
  readonly meaning: string | null;
  /** Why it was stopped before its end; null: it was not, or broke off. */
  readonly stopped: Stopped | null;
  /** Where its page lies; null: it has none. */
  readonly page: string | null;
}

/** What became of the items of the run that began last. */
export interface LastRunFacts {
  /** As its words and its page have it; null: it came to no target, or only planned. */
  readonly counts: RunCounts | null;
  /** What it said that another one would do, by action; null: it was no plan. */
  readonly planned: Readonly<Record<string, number>> | null;
}

export interface TargetFacts {
  readonly name: string;
  readonly root: string;
  readonly lastUsed: string;
  /** Things that stand there, by kind. */
  readonly written: Readonly<Record<string, number>>;
  readonly operations: StateCounts;
  /** The same by the kind of the item; kinds without writes are absent. */
  readonly operationsByKind: TargetStatus["operations"];
  readonly issues: TargetStatus["issues"];
  /** Links in what was loaded that still lead to the source, and the items that they stand in. */
  readonly oldLinks: { readonly links: number; readonly items: number };
  /** Runs that `undo` can take back, the newest first; `things` are those that it would look at. */
  readonly undoable: readonly {
    readonly run: string;
    readonly command: string | null;
    readonly started: string | null;
    readonly things: number;
  }[];
}

/** Looks at a workspace, also while a run is on. */
export function statusFacts(workspace: ReadonlyWorkspace): StatusFacts {
  const source = workspace.source();
  const run = workspace.runs.last();
  const runs = workspace.runs.recent(RUNS).map((one) => runFacts(workspace, one));
  const pace = workspace.pace(60);
  const running = workspace.holder() ?? null;
  const targets = workspace.targets();
  return {
    workspace: workspace.directory,
    source: source === undefined ? null : { name: source.name, root: source.root },
    running,
    paused: running === null || run === undefined ? null : pausedSince(workspace, run),
    lastRun: run === undefined ? null : { ...runFacts(workspace, run), ...lastRunFacts(workspace, run) },
    runs,
    items: itemFacts(workspace, targets[0]?.root),
    targets: targets.map((target) => targetFacts(target, source)),
    modules: workspace.modules(),
    failures: workspace.failures
      .list()
      .map(({ stage, key, target, reason, remedy }) => ({ stage, key, target, reason, remedy })),
    lastMinute: { items: pace.items, operations: pace.operations },
    secondsLeft: running === null ? null : secondsLeft(workspace, run),
  };
}

/** Runs that are named. */
const RUNS = 5;

function runFacts({ directory }: ReadonlyWorkspace, run: Run): RunFacts {
  const page = join(layoutOf(directory).reports, run.id, "report.html");
  return {
    id: run.id,
    command: run.command,
    started: iso(run.started),
    active: iso(run.active),
    ended: run.ended === null ? null : iso(run.ended),
    exitCode: run.exitCode,
    meaning: run.exitCode === null ? null : meaningOf(run.exitCode, isPlan(run) ? "plan" : run.command),
    stopped: stoppedIn(run),
    page: existsSync(page) ? page : null,
  };
}

function lastRunFacts(workspace: ReadonlyWorkspace, run: Run): LastRunFacts {
  const planned = isPlan(run) ? plannedSchema.safeParse(run.summary?.["counts"]) : undefined;
  const report = keptReport(join(layoutOf(workspace.directory).reports, run.id, "report.json"));
  return {
    counts: report === null ? countsInLog(workspace, run) : countsOf(report),
    planned: planned?.success === true ? planned.data : null,
  };
}

const plannedSchema = z.record(z.string(), z.number());

/** Of a run that has ended as it said them then: later ones change how the workspace stands. */
function countsOf({ kinds, linked, leftOut, unsupported, notSent }: RunReport): RunCounts {
  return { kinds, linked, leftOut, unsupported, notSent };
}

/** A run keeps a file while it is paused in its live view. */
function pausedSince({ directory }: ReadonlyWorkspace, { id }: Run): string | null {
  const file = join(layoutOf(directory).reports, id, "paused");
  return existsSync(file) ? readFileSync(file, "utf8").trim() : null;
}

function itemFacts({ items, failures }: ReadonlyWorkspace, last: string | undefined): StatusFacts["items"] {
  const counts = items.counts();
  const here = failures.list().filter(({ target }) => target === null || target === last);
  const failed = new Set(here.map(({ key }) => key));
  const ofKind = (kind: ItemKind): number => [...failed].filter((key) => kindOf(key) === kind).length;
  const entries = ITEM_KINDS.map((kind) => [kind, { ...counts[kind], failed: ofKind(kind) }]);
  // Every kind has its entry, which fromEntries can't say.
  return Object.fromEntries(entries) as StatusFacts["items"];
}

function targetFacts(target: TargetStatus, source: SiteIdentity | undefined): TargetFacts {
  const states = Object.values(target.operations);
  const sum = (state: "begun" | "done" | "failed"): number => states.reduce((total, row) => total + row[state], 0);
  return {
    name: target.name,
    root: target.root,
    lastUsed: iso(target.lastUsed),
    written: target.written,
    operations: { begun: sum("begun"), done: sum("done"), failed: sum("failed") },
    operationsByKind: target.operations,
    issues: target.issues,
    oldLinks: countOldLinks(target, source),
    undoable: target.undoable().map(({ id, command, started, open }) => ({
      run: id,
      command,
      started: started === null ? null : iso(started),
      things: open,
    })),
  };
}

function countOldLinks(target: TargetStatus, source: SiteIdentity | undefined): TargetFacts["oldLinks"] {
  const items = new Set<Key>();
  let links = 0;
  for (const { item } of source === undefined ? [] : oldLinks(source, target)) {
    links += 1;
    items.add(item);
  }
  return { links, items: items.size };
}

/** By what the run kept of its stages some seconds ago. */
function secondsLeft({ directory }: ReadonlyWorkspace, run: Run | undefined): number | null {
  if (run === undefined) return null;
  const course = readCourse(join(layoutOf(directory).reports, run.id, "course.json"));
  if (course === null) return null;
  const { stages, timeline } = course;
  const left = runTimeLeft(stages, Date.now(), (from, to) => pausedByHand(timeline, from, to));
  return left === null ? null : Math.ceil(left / 1000);
}

function iso(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
