import { existsSync } from "node:fs";
import { join } from "node:path";
import { EXIT, type ExitCode, messageOf, UsageError } from "../../core/errors.js";
import { isRepository } from "../../storage/repository/read/repository-folder.js";
import { layoutOf } from "../../storage/workspace/layout.js";
import type { Run, RunReader } from "../../storage/workspace/run-log.js";
import { isStopped, kindColumns } from "../../web/report/counts.js";
import type { RunReport } from "../../web/report/run-report.js";
import { clearOldReports, type WrittenReport, writeReport } from "../../web/report/write-report.js";
import type { CommandCall } from "../command.js";
import { meaningOf } from "../exit-codes.js";
import type { Output } from "../output/output.js";
import { count, shellQuote } from "../output/words.js";

/** Commands that print one line, unless something is wrong: cron mails the output each night. */
const IN_A_LINE: ReadonlySet<string> = new Set(["backup"]);

/**
 * Leaves the page of a run that has ended in its folder, and says where; undefined: there is none.
 * That it can't be written is told, and changes nothing of how the run ended.
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
    for (const words of report.unread) output.warn(`On the page of this run something is missing. ${words}`);
    const isQuiet = IN_A_LINE.has(report.run.command);
    if (!isQuiet) printKinds(report, output);
    if (!isQuiet || report.run.exitCode !== EXIT.ok) output.say(`The run as a page: ${html}`);
    output.event("report", { html, json, kinds: report.kinds });
    clearOld(directory, output);
    return written;
  } catch (error) {
    const reason = messageOf(error);
    output.warn(
      `The page of this run could not be written: ${reason} What the run did is not touched by it; \`guideferry report ${shellQuote([directory])}\` makes the page again.`,
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
    output.warn(`The reports of runs long ago stay in ${reports}: ${reason} Delete those that nobody needs.`);
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
    const which = named === null ? "No run" : `No run ${named}`;
    const status = `guideferry status ${shellQuote([directory])}`;
    throw new UsageError(`${which} is known in ${directory}. \`${status}\` lists the last runs.`, {
      exitCode: EXIT.notFound,
    });
  }
  const { report, html, json } = written;
  const { failures, run, unread } = report;
  for (const words of unread) output.warn(`On this page something is missing. ${words}`);
  output.say(`The run ${run.id} (${run.command}): ${count(failures.count, "failure")}.`);
  output.say(html);
  output.say(json);
  output.event("report", { html, json });
  return EXIT.ok;
}

const RECENT = 20;

/**
 * The last run that left a report, or none yet since it is on or broke off; a command that had
 * nothing to do leaves none.
 */
function lastWithPage(runs: Pick<RunReader, "recent" | "last">, reports: string): Run | undefined {
  const hasReport = ({ id, ended }: Run): boolean => ended === null || existsSync(join(reports, id, "report.json"));
  return runs.recent(RECENT).find(hasReport) ?? runs.last();
}

/**
 * The workspace at a place: the folder itself, or the one of a repository's backups, which lies in
 * it unless they are encrypted or it was named.
 */
async function workspaceAt(path: string): Promise<string> {
  if (existsSync(join(path, "workspace.json")) || !(await isRepository(path))) return path;
  const inside = join(path, "workspace");
  if (existsSync(join(inside, "workspace.json"))) return inside;
  throw new UsageError(
    `${path} is a repository of backups, and their workspace is not in it: it lies where --workspace of the backup said. Give that folder.`,
    { exitCode: EXIT.notFound },
  );
}

/**
 * Commands that write items to a site, or compare them there. Others tell what they did in words of
 * their own.
 */
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

/**
 * The closing table of a run: what became of the items of each kind. None where the run did nothing
 * with any.
 */
function printKinds(report: RunReport, output: Output): void {
  const { kinds, target, run } = report;
  // Who only reads tells it at the end, to which a stopped run does not come.
  const isTold = target?.reached !== true ? isStopped(run) : TABLE_COMMANDS.has(run.command);
  if (kinds.length === 0 || !isTold) return;
  const columns = kindColumns(report);
  output.say("");
  output.table(
    ["kind", ...columns.map(({ name }) => name)],
    kinds.map((row) => [row.kind, ...columns.map(({ of }) => row[of])]),
  );
  output.say("");
}
