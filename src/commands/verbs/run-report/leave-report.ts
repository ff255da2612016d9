import { EXIT } from "../../../core/errors.js";
import { clearOldReports } from "../../../web/report/clear-old-reports.js";
import { type WrittenReport, writeReport } from "../../../web/report/write-report.js";
import { layoutOf } from "../../../storage/workspace/layout.js";
import type { CommandCall } from "../../command.js";
import { meaningOf } from "../../exit-codes.js";
import type { Output } from "../../output/output.js";
import { printKinds } from "../../output/print-kinds.js";
import { shellQuote } from "../../shell-quote.js";

/** Their words go by mail every night: one line, unless something is wrong. */
const IN_A_LINE: ReadonlySet<string> = new Set(["backup"]);

/** Leaves the page of a run that has ended in its folder, and says where; undefined: there is none. That it can't be written is told, and changes nothing of how the run ended. */
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
    const reason = error instanceof Error ? error.message : String(error);
    output.warn(
      `The page of this run could not be written: ${reason} What the run did is not touched by it; \`guideferry report ${shellQuote([directory])}\` makes the page again.`,
    );
    return undefined;
  }
}

/** A year of nights must not fill a disk with pages. */
function clearOld(directory: string, output: Output): void {
  const { reports } = layoutOf(directory);
  try {
    clearOldReports(reports);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    output.warn(`The reports of runs long ago stay in ${reports}: ${reason} Delete those that nobody needs.`);
  }
}
