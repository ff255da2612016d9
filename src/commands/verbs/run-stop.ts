import { writeFileSync } from "node:fs";
import { type ExitCode, StoppedError } from "../../core/errors.js";
import type { Stopped } from "../../web/report/stopped.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import type { CommandCall } from "../command.js";
import { goesOn } from "../goes-on.js";
import { describeFailures } from "../output/describe.js";
import { explainError } from "../output/explain-error.js";
import { printable } from "../output/printable.js";

/** How an error ended a run. */
export interface Stop extends Stopped {
  readonly exitCode: ExitCode;
}

/** Why a run ends before its end, and how to go on. A signal's own code wins, wherever in the run the signal came to light. */
export function stopOf(error: unknown, { stop, redact, again }: CommandCall): Stop {
  const cause = error instanceof StoppedError && stop.aborted ? stop.reason : error;
  const { text, exitCode } = explainError(cause, false);
  return { words: redact(text), goOn: again !== null && goesOn(cause, exitCode) ? redact(again) : null, exitCode };
}

/** Tells what failed in a run until it was stopped, and leaves that in its folder with why it was. What keeps it from that is a warning: the run has ended for another reason. */
export function tellStop(call: CommandCall, workspace: Workspace, stop: Stop): void {
  try {
    leaveWords(call, workspace, stop);
  } catch (problem) {
    call.output.warn(`What failed in this run can't be told, or kept in its folder: ${String(problem)}`);
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
  const lines = [words, ...(goOn === null ? [] : [`To go on: ${goOn}`]), ...failed];
  writeFileSync(workspace.reportFile("summary.txt"), `${printable(redact(lines.join("\n")))}\n`, { mode: 0o600 });
}
