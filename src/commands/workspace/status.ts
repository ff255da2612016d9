import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { EXIT, type ExitCode } from "../../core/errors.js";
import type { SiteIdentity } from "../../core/model/identity.js";
import { ITEM_KINDS, type ItemKind, type Key, kindOf } from "../../core/model/key.js";
import { PACKAGE_STEPS, type PackageState } from "../../core/training.js";
import type { StateCounts, TargetStatus } from "../../storage/ledger/target-status.js";
import type { FailureStage } from "../../storage/workspace/failure-list.js";
import { inspectWorkspace, type ReadonlyWorkspace } from "../../storage/workspace/inspect.js";
import { layoutOf } from "../../storage/workspace/layout.js";
import type { ModuleStatus } from "../../storage/workspace/module-journal.js";
import type { Run } from "../../storage/workspace/run-log.js";
import { oldLinks } from "../../sync/map/old-links.js";
import { plain, plainTitle } from "../../training/plain-text.js";
import { countRun, isPlan, isStopped } from "../../web/report/counts.js";
import { pausedByHand, readCourse } from "../../web/report/course.js";
import { keptReport, type RunCounts, type RunReport, type Stopped, stoppedIn } from "../../web/report/run-report.js";
import { runTimeLeft } from "../../web/report/stages.js";
import type { CommandCall } from "../command.js";
import { meaningOf } from "../exit-codes.js";
import { describeCauses, describeLeftOut, indented } from "../output/describe.js";
import { printKinds } from "../output/ending.js";
import type { Output } from "../output/output.js";
import { clockTime, count, shellQuote } from "../output/words.js";
import type { Style } from "../output/writer.js";

/** The state of a workspace, as `status --json` prints it. */
interface StatusFacts {
  readonly workspace: string;
  readonly source: { readonly name: string; readonly root: string } | null;
  readonly running: {
    readonly command: string;
    readonly pid: number;
    readonly host: string;
    readonly since: string;
  } | null;
  /** Since when the active run is paused; null: it is not. */
  readonly paused: string | null;
  readonly lastRun: (RunFacts & LastRunFacts) | null;
  /** It and the few before it, newest first. */
  readonly runs: readonly RunFacts[];
  /** The items of the workspace, and failures at the source or on the last target. */
  readonly items: Readonly<
    Record<ItemKind, { readonly present: number; readonly gone: number; readonly failed: number }>
  >;
  readonly targets: readonly TargetFacts[];
  /** The sites of imported training packages. */
  readonly modules: readonly ModuleStatus[];
  readonly failures: readonly {
    readonly stage: FailureStage;
    readonly key: Key;
    /** Root of the target; null: it failed at the source. */
    readonly target: string | null;
    readonly reason: string;
    readonly remedy: string;
  }[];
  /** Finished in the last minute. */
  readonly lastMinute: { readonly items: number; readonly operations: number };
  /** Seconds to the end of the run, at the pace of its stages; null: unknown. */
  readonly secondsLeft: number | null;
}

interface RunFacts {
  /** As `report --run` takes it. */
  readonly id: string;
  readonly command: string;
  readonly started: string;
  /** The last activity. */
  readonly active: string;
  /** null while it runs, and if it was killed. */
  readonly ended: string | null;
  readonly exitCode: number | null;
  readonly meaning: string | null;
  /** Why it was stopped; null: it was not, or was killed. */
  readonly stopped: Stopped | null;
  /** The path of its HTML report; null: none. */
  readonly page: string | null;
}

/** The results of the last run. */
interface LastRunFacts {
  /** As in its summary and report; null: it reached no target, or only planned. */
  readonly counts: RunCounts | null;
  /** Of a plan: items by action; null: it was not a plan. */
  readonly planned: Readonly<Record<string, number>> | null;
}

interface TargetFacts {
  readonly name: string;
  readonly root: string;
  readonly lastUsed: string;
  /** Written things, by kind. */
  readonly written: Readonly<Record<string, number>>;
  readonly operations: StateCounts;
  /** By kind of item; kinds without writes are absent. */
  readonly operationsByKind: TargetStatus["operations"];
  readonly issues: TargetStatus["issues"];
  /** Links in loaded items that still lead to the source, and the number of these items. */
  readonly oldLinks: { readonly links: number; readonly items: number };
  /** Runs that `undo` can undo, newest first; `things`: the number that it would check. */
  readonly undoable: readonly {
    readonly run: string;
    readonly command: string | null;
    readonly started: string | null;
    readonly things: number;
  }[];
}

function statusFacts(workspace: ReadonlyWorkspace): StatusFacts {
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

/** The counts of a finished run as it printed them: later runs change the workspace. */
function countsOf({ kinds, linked, leftOut, unsupported, notSent }: RunReport): RunCounts {
  return { kinds, linked, leftOut, unsupported, notSent };
}

/** A run keeps a file while it is paused in its live page. */
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

/** From the stages that the run saved some seconds ago. */
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

export async function runStatus({ output }: CommandCall, directory: string): Promise<ExitCode> {
  const workspace = await inspectWorkspace(directory);
  try {
    printStatus(statusFacts(workspace), output);
    return EXIT.ok;
  } finally {
    await workspace.close();
  }
}

function printStatus(facts: StatusFacts, output: Output): void {
  output.event("status", facts);
  output.say(`Workspace ${facts.workspace}`);
  output.say(
    facts.source === null ? "Source: nothing was extracted yet" : `Source: ${facts.source.name}, ${facts.source.root}`,
  );
  printRun(facts, output);
  printPreviousRuns(facts.runs.slice(1), output);
  printCounts(facts, output);
  printItems(facts, output);
  for (const target of facts.targets) printTarget(target, facts, output);
  for (const site of facts.modules) printModuleStatus(site, output);
  for (const root of rootsOf(facts)) printFailures(facts, root, output);
}

function printRun({ running, paused, lastRun, lastMinute, secondsLeft }: StatusFacts, output: Output): void {
  if (running !== null) {
    output.say(`Running: ${running.command}, process ${running.pid} on ${running.host} since ${running.since}`);
    if (paused !== null)
      output.say(`Paused since ${paused} in its live page: no new request is sent until it is resumed there.`);
    const left = secondsLeft === null ? "" : `, about ${clockTime(secondsLeft)} left in this run`;
    output.say(
      `In the last minute: ${count(lastMinute.items, "item")} read, ${count(lastMinute.operations, "operation")}${left}`,
    );
    return;
  }
  if (lastRun === null) return;
  output.say(
    `Last run: ${lastRun.command} ${lastRun.id}, started ${lastRun.started}, ${endOf(lastRun)}`,
    styleOf(lastRun),
  );
  const { stopped } = lastRun;
  if (stopped !== null) output.say(`Reason: ${indented(stopped.words)}`, "prose");
  if (stopped !== null && stopped.goOn !== null) output.say(`To continue: ${stopped.goOn}`);
  if (lastRun.page !== null) output.say(`HTML report: ${lastRun.page}`);
}

/** The table and summary of the last run, or its progress. */
function printCounts({ lastRun, source, targets, workspace }: StatusFacts, output: Output): void {
  if (lastRun === null) return;
  const { planned, counts } = lastRun;
  if (planned !== null) {
    const actions = Object.entries(planned).filter(([, items]) => items > 0);
    const reported = actions.map(([action, items]) => `${items} ${PLANNED[action] ?? action}`);
    output.say(`Planned, not carried out: ${reported.length === 0 ? "nothing" : reported.join(", ")}`);
  }
  if (counts === null || counts.kinds.length === 0) return;
  const target = targets[0] === undefined ? null : { ...targets[0], reached: true };
  printKinds(`in ${lastRun.command}`, { kinds: counts.kinds, run: lastRun, source, target }, output);
  for (const line of describeLeftOut(counts, workspace)) output.say(line, "prose");
}

const PLANNED: Readonly<Record<string, string>> = {
  create: "to create",
  change: "to change",
  adopt: "to link",
  refuse: "refused",
  leave: "to leave unchanged",
  delete: "to delete",
  gone: "deleted at the source",
};

function printPreviousRuns(runs: StatusFacts["runs"], output: Output): void {
  if (runs.length === 0) return;
  const named = runs.map(({ id, command, exitCode }) => `${id} (${command}, ${exitCode ?? "interrupted"})`);
  output.say(`Earlier runs: ${named.join(", ")}`);
}

/** As `check` styles its states. */
function styleOf({ exitCode }: NonNullable<StatusFacts["lastRun"]>): Style {
  if (exitCode === EXIT.ok) return "green";
  return exitCode === null || !isStopped({ exitCode }) ? "yellow" : "red";
}

function endOf({ active, ended, exitCode, meaning }: NonNullable<StatusFacts["lastRun"]>): string {
  if (ended === null) return `interrupted after ${active}. Run the same command again to continue`;
  return `ended ${ended} with exit code ${exitCode}: ${meaning ?? "unknown"}`;
}

function printItems({ items, targets, modules }: StatusFacts, output: Output): void {
  const last = targets[0];
  const head = [
    "",
    "in the workspace",
    "deleted at the source",
    "failed",
    ...(last === undefined ? [] : [`on ${last.name}`]),
  ];
  const rows = ITEM_KINDS.filter((kind) => Object.values(items[kind]).some((number) => number > 0)).map((kind) => [
    kind,
    items[kind].present,
    items[kind].gone,
    items[kind].failed,
    ...(last === undefined ? [] : [last.written[kind] ?? 0]),
  ]);
  if (rows.length === 0 && modules.length > 0) return;
  output.say("");
  output.table(head, rows);
}

function printTarget(target: TargetFacts, { workspace }: StatusFacts, output: Output): void {
  const { loss, note, error } = target.issues;
  output.say(`\nTarget ${target.name}, ${target.root}, last used ${target.lastUsed}`);
  if (Object.keys(target.written).length + Object.keys(target.operationsByKind).length === 0)
    output.say("Nothing was written to it yet.");
  else output.say(`Values lost: ${loss + error}. There ${note === 1 ? "is" : "are"} also ${count(note, "note")}.`);
  const { links, items } = target.oldLinks;
  if (links > 0)
    output.say(
      `${count(links, "link")} in ${count(items, "item")} still ${links === 1 ? "leads" : "lead"} to the old site. To list: guideferry links ${shellQuote([workspace, target.root])}`,
    );
  printUndoable(target, output);
  const rows = Object.entries(target.operationsByKind).map(([kind, { done, begun, failed }]) => [
    kind,
    done,
    begun,
    failed,
  ]);
  const { done, begun, failed } = target.operations;
  if (rows.length > 0)
    output.table(["", "operations done", "started", "failed"], [...rows, ["all", done, begun, failed]]);
}

function printUndoable({ undoable }: TargetFacts, output: Output): void {
  if (undoable.length === 0) return;
  const named = undoable
    .slice(0, RUNS)
    .map(({ run, command, things }) => `${run} (${command ?? "?"}, ${count(things, "thing")})`);
  const more = undoable.length > RUNS ? `, and ${undoable.length - RUNS} more` : "";
  output.say(`Runs that \`guideferry undo\` can undo: ${named.join(", ")}${more}`);
}

/** The targets of failures: first, as null, those of `retry` without a target; then the others. */
function rootsOf({ failures, targets }: StatusFacts): readonly (string | null)[] {
  const others = failures.map(({ target }) => target).filter((root) => root !== null && root !== targets[0]?.root);
  return [null, ...new Set(others)];
}

function printFailures(facts: StatusFacts, root: string | null, output: Output): void {
  const { workspace, targets } = facts;
  const failures = facts.failures.filter(({ target }) => (target === targets[0]?.root ? null : target) === root);
  if (failures.length === 0) return;
  const command = `guideferry retry ${shellQuote([workspace, ...(root === null ? [] : [root])])}`;
  output.say("");
  output.say(`${count(failures.length, "failure")}. To try again: ${command}`, "prose");
  for (const line of describeCauses(failures, workspace)) output.say(line, "prose");
}

/** Packages that are named one by one; `--json` names all. */
const NAMED = 20;

const WORDS: readonly (readonly [PackageState, string])[] = [
  ["published", "published"],
  ["complete", "imported, as drafts"],
  ["failed", "failed"],
  ["cancelled", "cancelled"],
  ["unknown", "with an unknown result"],
];

const ON_THE_WAY: readonly PackageState[] = PACKAGE_STEPS.filter((state) => !WORDS.some(([known]) => known === state));

function printModuleStatus({ name, root, states, stuck }: ModuleStatus, output: Output): void {
  const under = ON_THE_WAY.reduce((sum, state) => sum + (states[state] ?? 0), 0);
  const all = Object.values(states).reduce((sum, number) => sum + number, 0);
  const parts = WORDS.map(([state, words]) => [states[state] ?? 0, words] as const);
  const reported = [...parts, [under, "in progress (run the same import-training command again to continue)"] as const]
    .filter(([number]) => number > 0)
    .map(([number, words]) => `${number} ${words}`);
  output.say(`\n${count(all, "training package")} for ${name}, ${root}: ${reported.join(", ")}`);
  for (const { source, title, state, reason } of stuck.slice(0, NAMED))
    output.say(`  ${plain(source)} ${JSON.stringify(plainTitle(title))} (${state}): ${plain(reason)}`);
  if (stuck.length > NAMED) output.say(`  … and ${stuck.length - NAMED} more; --json prints all`);
}

/** The counts of a run in the log, also of an unfinished one; null: it reached no target. */
function countsInLog(workspace: ReadonlyWorkspace, run: Run): RunCounts | null {
  const target = workspace.targets().find(({ root }) => root === run.details["target"]);
  if (isPlan(run) || (target === undefined && run.summary?.["kinds"] === undefined)) return null;
  const failures = workspace.failures.list().filter((one) => one.target === null || one.target === target?.root);
  return countRun({ workspace, target, run, failures, losses: target?.losses() ?? [] });
}
