import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { inspectWorkspace, type ReadonlyWorkspace } from "../../storage/workspace/inspect.js";
import { layoutOf } from "../../storage/workspace/layout.js";
import type { Run, RunReader } from "../../storage/workspace/run-log.js";
import { storageError } from "../../storage/workspace/storage-error.js";
import { gatherReport, lossesOf, movedIn, type ReportParts } from "./gather-report.js";
import { keptReport } from "./kept-report.js";
import { reportHtml } from "./report-html.js";
import type { RunReport } from "./run-report.js";
import { writeWhole } from "./write-whole.js";

/** Where a report lies. */
export interface WrittenReport {
  readonly html: string;
  readonly json: string;
  readonly report: RunReport;
}

export interface WriteReportOptions extends Pick<ReportParts, "madeBy" | "meaningOf"> {
  /** Of the workspace. */
  readonly directory: string;
  /** Chooses the run; undefined: there is none such, and nothing is written. */
  readonly choose: (runs: Pick<RunReader, "last" | "run" | "recent">) => Run | undefined;
}

/**
 * Writes `report.html` and `report.json` of a run into its folder of the workspace, `reports/<run id>`, each whole or not at all, and `losses.ndjson` where a run did not
 * come to that. Looks only, so that it works while another run is on. What the report of a run that ended says, it says for ever: later runs change how the
 * workspace stands. Throws WorkspaceError as `inspectWorkspace` does, and where a file can't be written.
 */
export async function writeReport(options: WriteReportOptions): Promise<WrittenReport | undefined> {
  const { directory, choose } = options;
  const workspace = await inspectWorkspace(directory);
  try {
    const run = choose(workspace.runs);
    if (run === undefined) return undefined;
    const folder = join(layoutOf(directory).reports, run.id);
    try {
      return await writeFiles(folder, { ...options, workspace, run, folder });
    } catch (error) {
      throw storageError(error, `writing the report of ${run.id} into ${folder}`);
    }
  } finally {
    await workspace.close();
  }
}

async function writeFiles(folder: string, parts: ReportParts): Promise<WrittenReport> {
  const { workspace, run } = parts;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const [html, json] = [join(folder, "report.html"), join(folder, "report.json")];
  const report = keptReport(json) ?? (await gatherReport(parts));
  await writeLosses(join(folder, "losses.ndjson"), workspace, run, report);
  await writeWhole(html, reportHtml(report, movedIn(workspace, run)));
  await writeWhole(json, [`${JSON.stringify(report, null, 2)}\n`]);
  return { html, json, report };
}

/** The page names the first losses and this file, whichever way the run ended. */
async function writeLosses(file: string, workspace: ReadonlyWorkspace, run: Run, report: RunReport): Promise<void> {
  const isWhole = report.losses.every(({ count, examples }) => count === examples.length);
  if (isWhole || existsSync(file)) return;
  await writeWhole(file, lossesOf(workspace, run));
}
