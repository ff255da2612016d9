import { EXIT, type ExitCode, UsageError } from "../../../errors.js";
import { writeReport } from "../../../report/write-report.js";
import type { CommandCall } from "../../command.js";
import { meaningOf } from "../../exit-codes.js";
import { count } from "../../output/words.js";

/** Makes the page of a run again, as the workspace stands now. */
export async function runReport(call: CommandCall, directory: string): Promise<ExitCode> {
  const { output, settings, version } = call;
  const named = settings.run;
  const written = await writeReport({
    directory,
    choose: (runs) => (named === null ? runs.last() : runs.run(named)),
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
  const { failures, run } = report;
  output.say(`The run ${run.id} (${run.command}): ${count(failures.count, "failure")}.`);
  output.say(html);
  output.say(json);
  output.event("report", { html, json });
  return EXIT.ok;
}
