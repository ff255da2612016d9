import type { ExitCode } from "../../core/errors.js";
import type { Control } from "../../sync/control.js";
import { FailureBrake } from "../../sync/failure-brake.js";
import { stagesAhead } from "../../web/report/stages-ahead.js";
import type { WrittenReport } from "../../web/report/write-report.js";
import type { Elsewhere } from "../../storage/workspace/media-store.js";
import type { Run } from "../../storage/workspace/run-log.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import type { CommandCall } from "../command.js";
import type { CommandName } from "../options/option.js";
import { OPTIONS, type Settings } from "../options/table.js";
import type { ChosenTransform } from "../transforms/read-transforms.js";
import { asBefore, choicesToKeep, type RunSites } from "./choices.js";
import type { RunToShow, ShownRun } from "./live-view/show-run.js";
import { watchRun } from "./run-report/watch-run.js";
import { stopOf, tellStop } from "./run-stop.js";

/** A command at work on a workspace that it holds. */
export interface Session {
  readonly call: CommandCall;
  readonly workspace: Workspace;
  /** The run before this one; null: this is the first. */
  readonly previous: Run | null;
  /** In their order, with their options. */
  readonly transforms: readonly ChosenTransform[];
  /** Nothing is noted outside of the workspace. */
  readonly rehearsal: boolean;
  /** Has these facts asked for when the run is stopped before its end: its summary keeps them then. Only the last call counts. */
  readonly keepIfStopped: (facts: () => Run["summary"]) => void;
}

/** What a session is opened with. */
export interface SessionPlan {
  readonly command: CommandName;
  readonly directory: string;
  /** Make the workspace when it is not there. */
  readonly create: boolean;
  /** The sites that it talks to: for `status`, and to know again how they were talked to. */
  readonly sites: RunSites;
  /** The path of the documents that it reads. */
  readonly documents?: string | undefined;
  /** Where nothing else is said, read and write these sites as the last run did. Default false. */
  readonly asBefore?: boolean;
  /** Default false. */
  readonly rehearsal?: boolean;
  /** What else the run log keeps of it, plain JSON without secrets. */
  readonly details?: Run["details"];
  /** Where media lie that left the workspace. Default: nowhere. */
  readonly elsewhere?: Elsewhere;
}

/** How a command on a workspace ended. */
export interface Ended {
  readonly exitCode: ExitCode;
  /** What `status` may show of it. */
  readonly summary: Readonly<Record<string, unknown>>;
  /** There was nothing to do, and a page would have nothing to show. */
  readonly nothing?: true;
}

/** Holds the workspace while a command works on it, and keeps the run in its log, however it ends. */
export async function withWorkspace(
  call: CommandCall,
  plan: SessionPlan,
  work: (session: Session) => Promise<Ended>,
): Promise<ExitCode> {
  const { openWorkspace } = await import("../../storage/workspace/workspace.js");
  const { directory, create, command, elsewhere } = plan;
  const workspace = await openWorkspace(directory, { create, command: `guideferry ${command}`, elsewhere });
  const previous = workspace.runs.last() ?? null;
  const sites = plan.asBefore ? withLastSites(plan.sites, workspace) : plan.sites;
  const settings = plan.asBefore ? asBefore(call.settings, call.given, sites, previous) : call.settings;
  const run = workspace.runs.start(plan.command, detailsOf(plan, sites, settings, previous));
  const reports = leavesReport(plan, settings);
  const ahead = stagesAhead(command, settings.verify === "none" ? "verify" : undefined);
  const watched = watchRun(call.output, reports ? workspace.reportFile("course.json") : null, ahead);
  const own = { call: { ...call, settings, output: watched.output }, workspace };
  const shown = settings.ui
    ? await shownRun({ ...own, run: { id: run, command }, sites, course: watched.course })
    : undefined;
  let exitCode: ExitCode | null = null;
  let hasPage = reports;
  let soFar: () => Run["summary"] = () => null;
  try {
    const ended = await work({
      ...(shown ?? own),
      previous,
      transforms: await transformsOf(plan.command, settings),
      rehearsal: plan.rehearsal ?? false,
      keepIfStopped: (facts) => {
        soFar = facts;
      },
    });
    workspace.runs.end(run, ended);
    exitCode = ended.exitCode;
    hasPage = reports && ended.nothing !== true;
    return exitCode;
  } catch (error) {
    const stop = stopOf(error, call);
    const { words, goOn } = stop;
    exitCode = stop.exitCode;
    workspace.runs.end(run, { exitCode, summary: { ...soFar(), stopped: { words, goOn } } });
    if (reports && !call.abort.aborted) tellStop(own.call, workspace, stop);
    throw error;
  } finally {
    watched.close();
    await workspace.close();
    // Who asks twice to stop doesn't wait for a page.
    const report = hasPage && !call.abort.aborted ? await reportOf(call, directory, run) : undefined;
    watched.tellEnd();
    await shown?.close(exitCode, report);
  }
}

/** Loaded when somebody wants to look. */
async function shownRun(run: RunToShow): Promise<ShownRun> {
  const { showRun } = await import("./live-view/show-run.js");
  return showRun(run);
}

async function reportOf(call: CommandCall, directory: string, run: string): Promise<WrittenReport | undefined> {
  call.output.close();
  const { leaveReport } = await import("./run-report/leave-report.js");
  return leaveReport(call, directory, run);
}

/** What writes nothing leaves no page of what it wrote, and nobody sees the workspaces of a drill and of a repair. */
const WITHOUT_REPORT: ReadonlySet<CommandName> = new Set(["plan", "drill", "repair"]);

function leavesReport({ command }: SessionPlan, { dryRun }: Settings): boolean {
  return !WITHOUT_REPORT.has(command) && !dryRun;
}

/**
 * Before anything else, so that a misspelt name does not come to light after hours of reading. What maps rename comes first: their names are
 * those of the source.
 */
async function transformsOf(command: CommandName, settings: Settings): Promise<readonly ChosenTransform[]> {
  const { transforms, typeMap, categoryMap } = settings;
  const isNothing = [transforms, typeMap, categoryMap].every((given) => Object.keys(given).length === 0);
  // A plan's file has them, where a command line can't.
  if (isNothing || (command !== "apply" && !OPTIONS.transforms.commands.includes(command))) return [];
  const { mappingTransforms } = await import("../transforms/mapping-transforms.js");
  const { readTransforms } = await import("../transforms/read-transforms.js");
  return [...mappingTransforms(settings), ...(await readTransforms(transforms))];
}

function withLastSites({ source, target }: RunSites, workspace: Workspace): RunSites {
  return { source: source ?? workspace.source()?.root, target: target ?? workspace.targets()[0]?.root };
}

/** Commands that write to the target; the choices of the others say nothing of how things stand there. */
const LOADING: ReadonlySet<CommandName> = new Set(["migrate", "load", "apply", "retry", "demo"]);

function detailsOf(plan: SessionPlan, sites: RunSites, settings: Settings, previous: Run | null): Run["details"] {
  const { source, target } = sites;
  const { command, documents = documentsOf(previous) } = plan;
  const loads = LOADING.has(command) && !settings.dryRun;
  const choices = choicesToKeep(settings, { source, target: loads ? target : undefined }, previous);
  // The log's own times are too coarse to tell what two short runs did.
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

/** Where the documents lay that were read last: a workspace knows only what they are called. */
export function documentsOf(previous: Run | null): string | undefined {
  const path = previous?.details["documents"];
  return typeof path === "string" ? path : undefined;
}

/** How a verb is steered and watched; each verb counts its failures anew. */
export function controlOf({ settings, output, stop, abort }: CommandCall): Control {
  return {
    stop,
    abort,
    concurrency: settings.concurrency,
    progress: (event) => output.progress(event),
    brake: new FailureBrake(settings.maxFailures),
  };
}
