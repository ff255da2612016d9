import { writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { type ExitCode, StoppedError } from "../../core/errors.js";
import type { JsonObject } from "../../core/util/json.js";
import type { FleetLink } from "../../fleet/link.js";
import { createRedactor, passwordsIn, Secret } from "../../service/http/secret.js";
import { onDisk } from "../../storage/archive/disk-error.js";
import type { Elsewhere } from "../../storage/workspace/media-store.js";
import type { Run } from "../../storage/workspace/run-log.js";
import type { SharedState, Workspace } from "../../storage/workspace/workspace.js";
import { CircuitBreaker, type Control, type ProgressEvent } from "../../sync/control.js";
import { createRunWatch, type RunCourse, writeCourse } from "../../web/report/course.js";
import type { Stopped } from "../../web/report/run-report.js";
import { stagesAhead } from "../../web/report/stages.js";
import type { WrittenReport } from "../../web/report/write-report.js";
import { type CommandCall, type RunEnd, tellEnd } from "../command.js";
import { explainError, isResumable } from "../exit-codes.js";
import { DATABASE_VARIABLE, FLEET_KEY_VARIABLE, TASK_VARIABLE } from "../options/credential-names.js";
import { resolveVariables } from "../options/secrets.js";
import { readPassphrase } from "../options/settings.js";
import type { Settings } from "../options/table.js";
import { describeFailures } from "../output/describe.js";
import type { Output } from "../output/output.js";
import { printable } from "../output/writer.js";
import { asBefore, choicesToKeep, type RunSites } from "./choices.js";
import type { RunToShow, ShownRun } from "./live-view.js";
import type { ChosenTransform } from "./transforms.js";

export interface Session {
  readonly call: CommandCall;
  readonly workspace: Workspace;
  readonly previous: Run | null;
  readonly transforms: readonly ChosenTransform[];
  /** A dry run: nothing is recorded outside of the workspace. */
  readonly rehearsal: boolean;
  /** The summary of a stopped run keeps these facts. Only the last call counts. */
  readonly keepIfStopped: (facts: () => Run["summary"]) => void;
}

export interface SessionPlan {
  readonly command: string;
  /** What it does on a target with the chosen transforms. Default: nothing. */
  readonly task?: "load" | "plan" | "verify" | undefined;
  /** No report, because nobody sees its workspace. A plan has none either. */
  readonly withoutReport?: true;
  /** A part of another run, which prints the only summary. */
  readonly isPart?: true;
  readonly directory: string;
  /** Create the workspace if it does not exist. */
  readonly create: boolean;
  /** Its sites, for `status` and for the options of later runs. */
  readonly sites: RunSites;
  readonly documents?: string | undefined;
  /** Use the options of the last run on these sites, unless given. Default: false. */
  readonly asBefore?: boolean;
  /** Default: false. */
  readonly rehearsal?: boolean;
  /** More facts for the run log: plain JSON without secrets. */
  readonly details?: Run["details"];
  /** The place of media that left the workspace. Default: none. */
  readonly elsewhere?: Elsewhere;
}

/** How the work of a run ended. */
export interface Ended<Facts extends object = object> {
  readonly exitCode: ExitCode;
  /** What the run log keeps. */
  readonly summary: JsonObject;
  /** What the run found and did: the object `summary` of `--json`, and the library's result. */
  readonly facts: Facts;
  /** There was nothing to do, so there is no report. */
  readonly nothing?: true;
}

/**
 * Locks the workspace during `work`, and records the run in its log, however it ends. Returns the
 * facts of the end, and prints them as the object `summary`. A run for a task of a fleet has the
 * task's lease meanwhile, and its state.
 */
export async function withWorkspace<Facts extends object>(
  call: CommandCall,
  plan: SessionPlan,
  work: (session: Session) => Promise<Ended<Facts>>,
): Promise<Facts & RunEnd> {
  const link = await linkOf(call, plan);
  if (link === undefined) return withOwnWorkspace(call, plan, work);
  const { gate, budget, elsewhere, shared } = link;
  const linked: CommandCall = {
    ...call,
    fleet: { gate, budget },
    stop: AbortSignal.any([call.stop, link.stop, link.over]),
    abort: AbortSignal.any([call.abort, link.over]),
  };
  try {
    return await withOwnWorkspace(linked, { ...plan, ...(elsewhere && { elsewhere }) }, work, shared);
  } catch (error) {
    throw link.over.aborted ? link.over.reason : error;
  } finally {
    await link.close(linked.abort.aborted);
  }
}

async function linkOf(call: CommandCall, plan: SessionPlan): Promise<FleetLink | undefined> {
  const { environment, fleet, output, settings } = call;
  if (!environment[TASK_VARIABLE] || fleet !== undefined || plan.isPart || plan.rehearsal) return undefined;
  const { joinFleet } = await import("../../fleet/link.js");
  const secrets = [DATABASE_VARIABLE, FLEET_KEY_VARIABLE];
  const resolved = await resolveVariables(environment, secrets);
  call.hide(createRedactor(secrets.flatMap((name) => secretsIn(resolved[name]))).redact);
  return joinFleet({
    ...plan,
    environment: resolved,
    encrypts: settings.encryptTo.length > 0 || readPassphrase(environment) !== null,
    note: output.note,
    warn: output.warn,
  });
}

/** The value, and the password of an address. */
function secretsIn(value = ""): readonly Secret[] {
  return [new Secret(value), ...passwordsIn(value)];
}

async function withOwnWorkspace<Facts extends object>(
  call: CommandCall,
  plan: SessionPlan,
  work: (session: Session) => Promise<Ended<Facts>>,
  shared?: SharedState,
): Promise<Facts & RunEnd> {
  const { openWorkspace } = await import("../../storage/workspace/workspace.js");
  const { directory, create, command, elsewhere } = plan;
  const workspace = await openWorkspace(directory, { create, command: `guideferry ${command}`, elsewhere, shared });
  const previous = workspace.runs.last() ?? null;
  const sites = plan.asBefore ? withLastSites(plan.sites, workspace) : plan.sites;
  const settings = plan.asBefore ? asBefore(call.settings, call.given, sites, previous) : call.settings;
  const run = workspace.runs.start(plan.command, detailsOf(plan, sites, settings, previous), call.monitor?.run);
  call.monitor?.note({ ...sites, workspace: directory });
  const reports = leavesReport(plan, settings);
  const ahead = stagesAhead(settings.dryRun ? "plan" : command, settings.verify);
  const watched = watchRun(call.output, reports ? workspace.reportFile("course.json") : null, ahead);
  const own = { call: { ...call, settings, output: watched.output }, workspace };
  const shown = settings.ui
    ? await shownRun({ ...own, run: { id: run, command }, sites, course: watched.course })
    : undefined;
  const started = performance.now();
  let exitCode: ExitCode | null = null;
  let report: WrittenReport | undefined;
  let hasPage = reports;
  let soFar: () => Run["summary"] = () => null;
  let ended: Ended<Facts>;
  try {
    ended = await work({
      ...(shown ?? own),
      previous,
      transforms: await transformsOf(plan, settings),
      rehearsal: plan.rehearsal ?? false,
      keepIfStopped: (facts) => {
        soFar = facts;
      },
    });
    workspace.runs.end(run, ended);
    exitCode = ended.exitCode;
    hasPage = reports && ended.nothing !== true;
  } catch (error) {
    const stop = stopOf(error, call);
    const { words, goOn } = stop;
    exitCode = stop.exitCode;
    workspace.runs.end(run, { exitCode, summary: { ...soFar(), stopped: { words, goOn } } });
    if (reports && !call.abort.aborted) reportStop(own.call, workspace, stop);
    throw error;
  } finally {
    watched.close();
    await workspace.close();
    // After a second signal there is no report.
    report = hasPage && !call.abort.aborted ? await reportOf(call, directory, run) : undefined;
    await shown?.close(exitCode, report);
  }
  const elapsedSeconds = Math.round(performance.now() - started) / 1000;
  const [htmlReport, jsonReport] = [report?.html ?? null, report?.json ?? null];
  const end = { runId: run, workspace: workspace.directory, elapsedSeconds, htmlReport, jsonReport };
  const output = plan.isPart ? { ...call.output, event: () => undefined } : call.output;
  return tellEnd(output, { ...ended.facts, ...end }, ended.exitCode);
}

async function shownRun(run: RunToShow): Promise<ShownRun> {
  const { showRun } = await import("./live-view.js");
  return showRun(run);
}

async function reportOf(call: CommandCall, directory: string, run: string): Promise<WrittenReport | undefined> {
  call.output.close();
  const { leaveReport } = await import("./run-report.js");
  return leaveReport(call, directory, run);
}

function leavesReport({ task, withoutReport }: SessionPlan, { dryRun }: Settings): boolean {
  return withoutReport !== true && task !== "plan" && !dryRun;
}

/**
 * Read first, so that a misspelt name is found before hours of reading. Maps come before other
 * transforms: their names are those of the source.
 */
async function transformsOf({ task }: SessionPlan, settings: Settings): Promise<readonly ChosenTransform[]> {
  const { transforms, typeMap, categoryMap } = settings;
  const isNothing = [transforms, typeMap, categoryMap].every((given) => Object.keys(given).length === 0);
  if (isNothing || task === undefined) return [];
  const { mappingTransforms, readTransforms } = await import("./transforms.js");
  return [...mappingTransforms(settings), ...(await readTransforms(transforms))];
}

function withLastSites({ source, target }: RunSites, workspace: Workspace): RunSites {
  return { source: source ?? workspace.source()?.root, target: target ?? workspace.targets()[0]?.root };
}

function detailsOf(plan: SessionPlan, sites: RunSites, settings: Settings, previous: Run | null): Run["details"] {
  const { source, target } = sites;
  const { task, documents = documentsOf(previous) } = plan;
  // The choices of a run without a load say nothing about the remote state.
  const loads = task === "load" && !settings.dryRun;
  const choices = choicesToKeep(settings, { source, target: loads ? target : undefined }, previous);
  // The times of the log are too coarse for two short runs.
  const dryRun = settings.dryRun ? { dryRun: true } : {};
  return {
    ...plan.details,
    ...dryRun,
    began: Date.now(),
    ...sites,
    ...(documents === undefined ? {} : { documents }),
    choices,
  };
}

/** The path of the documents that were read last; the workspace stores only their name. */
export function documentsOf(previous: Run | null): string | undefined {
  const path = previous?.details["documents"];
  return typeof path === "string" ? path : undefined;
}

/** The control of one stage; each counts its own failures. */
export function controlOf({ settings, output, stop, abort }: CommandCall): Control {
  return {
    stop,
    abort,
    concurrency: settings.concurrency,
    progress: (event) => output.progress(event),
    breaker: new CircuitBreaker(settings.maxFailures),
  };
}

interface Stop extends Stopped {
  readonly exitCode: ExitCode;
}

/** Why a run stopped, and how to continue it. The exit code of a signal has priority. */
function stopOf(error: unknown, { stop, redact, again }: CommandCall): Stop {
  const cause = error instanceof StoppedError && stop.aborted ? stop.reason : error;
  const { text, exitCode } = explainError(cause, false);
  return { words: redact(text), goOn: again !== null && isResumable(cause, exitCode) ? redact(again) : null, exitCode };
}

/** Prints and saves the failures of a stopped run with the reason; an error is only a warning. */
function reportStop(call: CommandCall, workspace: Workspace, stop: Stop): void {
  try {
    leaveWords(call, workspace, stop);
  } catch (problem) {
    call.output.warn(`The failures of this run could not be printed or saved: ${String(problem)}`);
  }
}

function leaveWords({ output, redact }: CommandCall, workspace: Workspace, { words, goOn }: Stop): void {
  const id = workspace.runs.current();
  const since = (id === undefined ? undefined : workspace.runs.run(id)?.started) ?? 0;
  const failures = workspace.failures.list().filter(({ at }) => at >= since);
  output.close();
  for (const failure of failures) output.event("failure", failure);
  const failed = describeFailures(failures, workspace.directory, goOn ?? undefined);
  for (const line of failed) output.say(line);
  const lines = [words, ...(goOn === null ? [] : [`To continue: ${goOn}`]), ...failed];
  writeFileSync(workspace.reportFile("summary.txt"), `${printable(redact(lines.join("\n")))}\n`, { mode: 0o600 });
}

interface WatchedRun {
  /** Replaces the given output, and records what it prints. */
  readonly output: Output;
  course(): RunCourse;
  /** Saves the course so far, and ends the timer. */
  close(): void;
}

/** Milliseconds that the chart of a killed run may lack. */
const KEEP_EVERY = 15_000;

/**
 * Watches a run, and saves its course in a file: from time to time, at the start of a stage and at
 * the end. `file` null: not saved. `ahead` adds the later stages to a progress event.
 */
function watchRun(
  output: Output,
  file: string | null,
  ahead: (event: ProgressEvent) => ProgressEvent | undefined = (event) => event,
): WatchedRun {
  const watch = createRunWatch();
  let isWarned = false;
  let stage: ProgressEvent["stage"] | undefined;
  const keep = (): void => {
    if (file === null) return;
    try {
      writeCourse(file, watch.course());
    } catch (error) {
      // The run continues without its chart.
      if (!isWarned) output.warn(`The chart of this run cannot be saved in ${file}: ${String(error)}`);
      isWarned = true;
    }
  };
  const timer = setInterval(keep, KEEP_EVERY);
  timer.unref();
  return {
    output: {
      ...output,
      progress: (event) => {
        const reported = ahead(event);
        if (reported === undefined) return;
        watch.progress(reported);
        output.progress(reported);
        if (event.stage !== stage) keep();
        stage = event.stage;
      },
      watch: (look) => {
        watch.watch(look);
        output.watch(look);
      },
    },
    course: watch.course,
    close: () => {
      clearInterval(timer);
      watch.close();
      keep();
    },
  };
}

/** Saves the summary of a run in its folder, also for its report; returns the path. */
export async function keepSummary({ call, workspace }: Session, lines: readonly string[]): Promise<string> {
  const file = workspace.reportFile("summary.txt");
  const text = `${printable(call.redact(lines.join("\n")))}\n`;
  await onDisk(`writing ${file}`, writeFile(file, text, { mode: 0o600 }));
  return file;
}
