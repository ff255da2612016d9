import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ITEM_KINDS } from "../model/key.js";
import { addressMap } from "../pipeline/map/moved-things.js";
import type { ReadonlyWorkspace } from "../workspace/inspect.js";
import type { TargetStatus } from "../workspace/ledger/target-status.js";
import type { Run } from "../workspace/run-log.js";
import { readCourse } from "./course-file.js";
import { groupFailures } from "./group-failures.js";
import { groupLosses } from "./group-losses.js";
import { kindRows } from "./kind-rows.js";
import { REPORT_FORMAT, type RunReport } from "./run-report.js";

/** What a report is made from. */
export interface ReportParts {
  readonly workspace: ReadonlyWorkspace;
  readonly run: Run;
  /** `reports/<run id>` of the workspace: `summary.txt` and `course.json` are read from there, where they are. */
  readonly folder: string;
  /** `guideferry 0.1.0`. */
  readonly madeBy: string;
  /** What exit codes mean, in the words of the help. */
  readonly meaningOf: (exitCode: number | null) => string;
}

/** References that are named; the loss ledger has all. */
const NAMED = 200;
/** Issues of the ledger that say that a reference has no goal. */
const DANGLING = /dangl/;

/** What a run did, from what the workspace has of it and how the workspace stands now. Memory goes with the kinds of losses, not with items. */
export async function gatherReport({ workspace, run, folder, madeBy, meaningOf }: ReportParts): Promise<RunReport> {
  const target = targetOf(workspace, run);
  const source = workspace.source();
  const course = readCourse(join(folder, "course.json"));
  const failures = workspace.failures.list().filter((one) => one.target === null || one.target === target?.root);
  const losses = await groupLosses(target?.lossLedger() ?? [], {
    item: async (key) => (workspace.items.entry(key) === undefined ? undefined : workspace.items.get(key)),
    left: (key) => target?.left(key),
  });
  return {
    format: REPORT_FORMAT,
    madeBy,
    madeAt: new Date().toISOString(),
    run: {
      id: run.id,
      command: run.command,
      started: time(run.started),
      ended: run.ended === null ? null : time(run.ended),
      exitCode: run.exitCode,
      meaning: run.ended === null ? "it is on, or broke off" : meaningOf(run.exitCode),
    },
    source: source === undefined ? null : { name: source.name, root: source.root },
    target: target === undefined ? null : { name: target.name, root: target.root },
    words: wordsIn(join(folder, "summary.txt")),
    stages: course?.stages ?? [],
    timeline: course?.timeline ?? null,
    kinds: kindRows({ workspace, target, run, failures, losses }),
    failures: { count: failures.length, causes: groupFailures(failures) },
    losses,
    dangling: danglingOf(workspace, target),
    moved: target === undefined ? 0 : ITEM_KINDS.reduce((sum, kind) => sum + (target.written[kind] ?? 0), 0),
  };
}

/** The things that a report lists with both of their addresses; empty where nothing has a place at a target. */
export function movedIn(workspace: ReadonlyWorkspace, run: Run): ReturnType<ReturnType<typeof addressMap>["things"]> {
  const [source, target] = [workspace.source(), targetOf(workspace, run)];
  return source === undefined || target === undefined ? [].values() : addressMap(source, target, false).things();
}

/** The one that the run named; a run that only read has none. */
function targetOf(workspace: ReadonlyWorkspace, { details }: Run): TargetStatus | undefined {
  const root = details["target"];
  return workspace.targets().find((one) => one.root === root);
}

function danglingOf(workspace: ReadonlyWorkspace, target: TargetStatus | undefined): RunReport["dangling"] {
  const first: RunReport["dangling"]["first"][number][] = [];
  let count = 0;
  for (const { code, key, path, message } of target?.lossLedger() ?? []) {
    if (!DANGLING.test(code)) continue;
    count += 1;
    if (first.length < NAMED) {
      const title = workspace.items.entry(key)?.title ?? "";
      first.push({ from: `${key}${path === "" ? "" : `, ${path}`}`, title, to: message });
    }
  }
  return { count, first };
}

function wordsIn(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
}

function time(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
