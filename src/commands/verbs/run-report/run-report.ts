import { existsSync } from "node:fs";
import { join } from "node:path";
import { EXIT, type ExitCode, UsageError } from "../../../core/errors.js";
import { writeReport } from "../../../web/report/write-report.js";
import { layoutOf } from "../../../storage/workspace/layout.js";
import type { Run, RunReader } from "../../../storage/workspace/run-log.js";
import type { CommandCall } from "../../command.js";
import { meaningOf } from "../../exit-codes.js";
import { count } from "../../output/words.js";

/** Makes the page of a run again, as the workspace stands now. */
export async function runReport(call: CommandCall, directory: string): Promise<ExitCode> {
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
    throw new UsageError(`${which} is known in ${directory}. \`guideferry status\` names the last ones.`, {
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

/** Runs that are looked through for one that did something. */
const RECENT = 20;

/** The last run that left a report, or none yet since it is on or broke off; a command that had nothing to do leaves none. */
function lastWithPage(runs: Pick<RunReader, "recent" | "last">, reports: string): Run | undefined {
  const hasReport = ({ id, ended }: Run): boolean => ended === null || existsSync(join(reports, id, "report.json"));
  return runs.recent(RECENT).find(hasReport) ?? runs.last();
}
