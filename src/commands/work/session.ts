import { EXIT, type ExitCode, FerryError } from "../../errors.js";
import type { Control } from "../../pipeline/control.js";
import { FailureBrake } from "../../pipeline/failure-brake.js";
import type { Run } from "../../workspace/run-log.js";
import type { Workspace } from "../../workspace/workspace.js";
import type { CommandCall } from "../command.js";
import type { CommandName } from "../options/option.js";

/** A command at work on a workspace that it holds. */
export interface Session {
  readonly call: CommandCall;
  readonly workspace: Workspace;
  /** The run before this one; null: this is the first. */
  readonly previous: Run | null;
  /** Nothing is noted outside of the workspace. */
  readonly rehearsal: boolean;
}

/** What a session is opened with. */
export interface SessionPlan {
  readonly command: CommandName;
  readonly directory: string;
  /** Make the workspace when it is not there. */
  readonly create: boolean;
  /** For `status`: what the run is about; no secrets. */
  readonly details: Readonly<Record<string, string>>;
  /** Default false. */
  readonly rehearsal?: boolean;
}

/** How a command on a workspace ended. */
export interface Ended {
  readonly exitCode: ExitCode;
  /** What `status` may show of it. */
  readonly summary: Readonly<Record<string, unknown>>;
}

/** Holds the workspace while a command works on it, and keeps the run in its log, however it ends. */
export async function withWorkspace(
  call: CommandCall,
  plan: SessionPlan,
  work: (session: Session) => Promise<Ended>,
): Promise<ExitCode> {
  const { openWorkspace } = await import("../../workspace/workspace.js");
  const workspace = await openWorkspace(plan.directory, { create: plan.create, command: `guideferry ${plan.command}` });
  const previous = workspace.runs.last() ?? null;
  const run = workspace.runs.start(plan.command, plan.details);
  try {
    const ended = await work({ call, workspace, previous, rehearsal: plan.rehearsal ?? false });
    workspace.runs.end(run, ended);
    return ended.exitCode;
  } catch (error) {
    const exitCode = error instanceof FerryError ? error.exitCode : EXIT.unexpected;
    workspace.runs.end(run, { exitCode, summary: {} });
    throw error;
  } finally {
    await workspace.close();
  }
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
