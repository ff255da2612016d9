import { join } from "node:path";
import { type Issue, REFERENCE_DANGLING } from "../../core/model/issue.js";
import { ITEM_KINDS } from "../../core/model/key.js";
import type { MovedThing } from "../../sync/map/moved-thing.js";
import { addressMap } from "../../sync/map/moved-things.js";
import type { ReadonlyWorkspace } from "../../storage/workspace/inspect.js";
import type { TargetStatus } from "../../storage/ledger/target-status.js";
import type { Run } from "../../storage/workspace/run-log.js";
import { countRun, NO_COUNTS } from "./count-run.js";
import { readCourse, textIn } from "./course-file.js";
import { groupLosses } from "./group-losses.js";
import { createPartReader, type PartReader } from "./part-reader.js";
import { failuresOf } from "./run-failures.js";
import { REPORT_FORMAT, type RunReport } from "./run-report.js";
import { stoppedIn } from "./stopped.js";

/** What a report is made from. */
export interface ReportParts {
  readonly workspace: ReadonlyWorkspace;
  readonly run: Run;
  /** `reports/<run id>` of the workspace: `summary.txt` and `course.json` are read from there, where they are. */
  readonly folder: string;
  /** `guideferry 0.1.0`. */
  readonly madeBy: string;
  /** What exit codes mean, in the words of the help. */
  readonly meaningOf: (exitCode: number | null, command: string) => string;
}

/** References that are named; the loss ledger has all. */
const NAMED = 200;

/**
 * What a run did, from what the workspace has of it and how the workspace stands now. Memory goes with the kinds of losses, not with items. What is damaged is told
 * in the report and absent from it.
 */
export async function gatherReport({ workspace, run, folder, madeBy, meaningOf }: ReportParts): Promise<RunReport> {
  const parts = createPartReader();
  const target = parts.read("The ledger of the target", undefined, () => targetOf(workspace, run));
  const source = workspace.source();
  const course = parts.read("The chart and the stages", null, () => readCourse(join(folder, "course.json")));
  const failures = parts
    .read("The failures", [], () => workspace.failures.list())
    .filter((one) => one.target === null || one.target === target?.root);
  const ledger = (): Iterable<Issue> => parts.each("The loss ledger", () => target?.lossLedger() ?? []);
  const losses = await groupLosses(ledger(), {
    item: async (key) => (workspace.items.entry(key) === undefined ? undefined : workspace.items.get(key)),
    left: (key) => target?.left(key),
  });
  const report: Omit<RunReport, "unread"> = {
    format: REPORT_FORMAT,
    madeBy,
    madeAt: new Date().toISOString(),
    run: {
      id: run.id,
      command: run.command,
      started: time(run.started),
      active: time(run.active),
      ended: run.ended === null ? null : time(run.ended),
      exitCode: run.exitCode,
      meaning: run.ended === null ? unendedWords(workspace, run) : meaningOf(run.exitCode, run.command),
      stopped: stoppedIn(run),
    },
    source: source === undefined ? null : { name: source.name, root: source.root },
    target: target === undefined ? namedTarget(run) : { name: target.name, root: target.root, reached: true },
    words: parts.read("What the run said at its end", [], () => wordsIn(join(folder, "summary.txt"))),
    stages: course?.stages ?? [],
    timeline: course?.timeline ?? null,
    ...parts.read("What went where", NO_COUNTS, () => countRun({ workspace, target, run, failures, losses })),
    failures: failuresOf(run, failures),
    losses,
    dangling: danglingOf(workspace, ledger(), parts),
    moved: target === undefined ? 0 : ITEM_KINDS.reduce((sum, kind) => sum + (target.written[kind] ?? 0), 0),
  };
  return { ...report, unread: parts.unread };
}

/** The loss ledger as lines of JSON, as far as it can be read. */
export function* lossesOf(workspace: ReadonlyWorkspace, run: Run): Generator<string> {
  const ledger = createPartReader().each("The loss ledger", () => targetOf(workspace, run)?.lossLedger() ?? []);
  for (const issue of ledger) yield `${JSON.stringify(issue)}\n`;
}

/** The things that a report lists with both of their addresses; empty where nothing has a place at a target. Throws as the workspace does, when they are taken. */
export function* movedIn(workspace: ReadonlyWorkspace, run: Run): Generator<MovedThing> {
  const [source, target] = [workspace.source(), targetOf(workspace, run)];
  if (source !== undefined && target !== undefined) yield* addressMap(source, target, false).things();
}

/** Who holds the workspace is at work on the run that began last; every other one without an end has none any more. */
function unendedWords({ holder, runs }: ReadonlyWorkspace, { id, active }: Run): string {
  if (holder() !== undefined && runs.last()?.id === id) return "it is on";
  return `it broke off, killed or with its machine; its last sign of life was at ${time(active)}. The same command goes on where it ended.`;
}

/** The one that the run named; a run that only read has none. */
function targetOf(workspace: ReadonlyWorkspace, { details }: Run): TargetStatus | undefined {
  const root = details["target"];
  return workspace.targets().find((one) => one.root === root);
}

/** What the run itself noted of its target: a run that was killed early, or a damaged ledger, has no more. */
function namedTarget({ details, summary }: Run): RunReport["target"] {
  const root = details["target"];
  if (typeof root !== "string") return null;
  // Bundles and training modules have no ledger: what went there is what the run counted.
  const reached = summary?.["kinds"] !== undefined;
  return { name: URL.canParse(root) ? new URL(root).host || root : root, root, reached };
}

function danglingOf({ items }: ReadonlyWorkspace, issues: Iterable<Issue>, parts: PartReader): RunReport["dangling"] {
  const first: RunReport["dangling"]["first"][number][] = [];
  let count = 0;
  for (const { code, key, path, message } of issues) {
    if (code !== REFERENCE_DANGLING) continue;
    count += 1;
    if (first.length < NAMED) {
      const title = parts.read("The list of items", "", () => items.entry(key)?.title ?? "");
      first.push({ from: `${key}${path === "" ? "" : `, ${path}`}`, title, to: message });
    }
  }
  return { count, first };
}

function wordsIn(file: string): readonly string[] {
  const text = textIn(file);
  return text === null ? [] : text.trimEnd().split("\n");
}

function time(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
