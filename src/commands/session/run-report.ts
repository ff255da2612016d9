import { existsSync } from "node:fs";
import { join } from "node:path";
import { EXIT, type ExitCode, messageOf, UsageError } from "../../core/errors.js";
import { isRepository } from "../../storage/repository/read/repository-folder.js";
import { layoutOf } from "../../storage/workspace/layout.js";
import type { Run, RunReader } from "../../storage/workspace/run-log.js";
import { isStopped } from "../../web/report/counts.js";
import type { RunReport } from "../../web/report/run-report.js";
import { clearOldReports, type WrittenReport, writeReport } from "../../web/report/write-report.js";
import type { CommandCall } from "../command.js";
import { meaningOf } from "../exit-codes.js";
import { printKinds, printNext } from "../output/ending.js";
import type { Output } from "../output/output.js";
import { count, shellQuote } from "../output/words.js";

/** Commands that print one line if all is well, because cron mails their output. */
const IN_A_LINE: ReadonlySet<string> = new Set(["backup"]);

/**
 * Writes the report of a finished run into its folder and prints its path; undefined: none. An
 * error is a warning, and does not change the exit code.
 */
export async function leaveReport(
  { output, version }: CommandCall,
  directory: string,
  run: string,
): Promise<WrittenReport | undefined> {
  try {
    const madeBy = `guideferry ${version}`;
    const written = await writeReport({ directory, choose: (runs) => runs.run(run), madeBy, meaningOf });
    if (written === undefined) return undefined;
    const { html, json, report } = written;
    for (const words of report.unread) output.warn(`The HTML report of this run is incomplete. ${words}`);
    const isQuiet = IN_A_LINE.has(report.run.command);
    if (!isQuiet && hasTable(report)) {
      printKinds("kind", report, output);
      output.say("");
    }
    if (!isQuiet || report.run.exitCode !== EXIT.ok) printNext(report.next, html, output);
    output.event("report", { html, json, kinds: report.kinds, next: report.next });
    clearOld(directory, output);
    return written;
  } catch (error) {
    const reason = messageOf(error);
    output.warn(
      `The HTML report of this run could not be written: ${reason} The result of the run is not affected. To write the report again: guideferry report ${shellQuote([directory])}`,
    );
    return undefined;
  }
}

function clearOld(directory: string, output: Output): void {
  const { reports } = layoutOf(directory);
  try {
    clearOldReports(reports);
  } catch (error) {
    const reason = messageOf(error);
    output.warn(
      `The reports of old runs could not be deleted from ${reports}: ${reason} Delete the ones that nobody needs.`,
    );
  }
}

export async function runReport(call: CommandCall, path: string): Promise<ExitCode> {
  const directory = await workspaceAt(path);
  const { output, settings, version } = call;
  const named = settings.run;
  const written = await writeReport({
    directory,
    choose: (runs) => (named === null ? lastWithPage(runs, layoutOf(directory).reports) : runs.run(named)),
    madeBy: `guideferry ${version}`,
    meaningOf,
  });
  if (written === undefined) {
    const which = named === null ? "No run" : `The run ${named}`;
    const status = `guideferry status ${shellQuote([directory])}`;
    const known = named === null ? "is recorded" : "is unknown";
    throw new UsageError(`${which} ${known} in ${directory}. \`${status}\` lists the last runs.`, {
      exitCode: EXIT.notFound,
    });
  }
  const { report, html, json } = written;
  const { failures, run, unread } = report;
  for (const words of unread) output.warn(`This HTML report is incomplete. ${words}`);
  output.say(`Run ${run.id} (${run.command}): ${count(failures.count, "failure")}.`);
  output.say(html);
  output.say(json);
  output.event("report", { html, json });
  return EXIT.ok;
}

const RECENT = 20;

/** The last run with a report, or without an end; a command with nothing to do has no report. */
function lastWithPage(runs: Pick<RunReader, "recent" | "last">, reports: string): Run | undefined {
  const hasReport = ({ id, ended }: Run): boolean => ended === null || existsSync(join(reports, id, "report.json"));
  return runs.recent(RECENT).find(hasReport) ?? runs.last();
}

/** The folder itself, or the workspace inside a repository of backups. */
async function workspaceAt(path: string): Promise<string> {
  if (existsSync(join(path, "workspace.json")) || !(await isRepository(path))) return path;
  const inside = join(path, "workspace");
  if (existsSync(join(inside, "workspace.json"))) return inside;
  throw new UsageError(
    `${path} is a repository of backups without a workspace in it: the backups have their workspace in the folder of --workspace. Name that folder.`,
    { exitCode: EXIT.notFound },
  );
}

/** Commands that write or compare items on a site; others have their own summary. */
const TABLE_COMMANDS: ReadonlySet<string> = new Set([
  "migrate",
  "load",
  "apply",
  "retry",
  "restore",
  "demo",
  "undo",
  "verify",
]);

/** Whether a run handled items, and its own summary does not show them. */
function hasTable({ kinds, target, run }: RunReport): boolean {
  // A command that only reads prints its own table, unless it was stopped.
  return kinds.length > 0 && (target?.reached !== true ? isStopped(run) : TABLE_COMMANDS.has(run.command));
}
