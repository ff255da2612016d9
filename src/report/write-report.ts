import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { inspectWorkspace } from "../workspace/inspect.js";
import { layoutOf } from "../workspace/layout.js";
import type { Run } from "../workspace/run-log.js";
import { gatherReport, movedIn, type ReportParts } from "./gather-report.js";
import { reportHtml } from "./report-html.js";
import type { RunReport } from "./run-report.js";

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
  readonly choose: (runs: { last(): Run | undefined; run(id: string): Run | undefined }) => Run | undefined;
}

/**
 * Writes `report.html` and `report.json` of a run into its folder of the workspace, `reports/<run id>`, whole or not at all. Looks only, so that it works
 * while another run is on. Throws WorkspaceError as `inspectWorkspace` does, and what the system says of the files.
 */
export async function writeReport(options: WriteReportOptions): Promise<WrittenReport | undefined> {
  const { directory, choose, madeBy, meaningOf } = options;
  const workspace = await inspectWorkspace(directory);
  try {
    const run = choose(workspace.runs);
    if (run === undefined) return undefined;
    const folder = join(layoutOf(directory).reports, run.id);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const report = await gatherReport({ workspace, run, folder, madeBy, meaningOf });
    const [html, json] = [join(folder, "report.html"), join(folder, "report.json")];
    await writeWhole(html, reportHtml(report, movedIn(workspace, run), stylesheet()));
    writeFileSync(`${json}.new`, `${JSON.stringify(report, null, 2)}\n`, { mode: 0o600 });
    renameSync(`${json}.new`, json);
    return { html, json, report };
  } finally {
    await workspace.close();
  }
}

/** Pieces are small, and a write each would cost more than they do. */
const CHUNK = 64 * 1024;

async function writeWhole(file: string, pieces: Iterable<string>): Promise<void> {
  const handle = await open(`${file}.new`, "w", 0o600);
  try {
    let chunk = "";
    for (const piece of pieces) {
      chunk += piece;
      if (chunk.length < CHUNK) continue;
      await handle.write(chunk);
      chunk = "";
    }
    await handle.write(chunk);
  } finally {
    await handle.close();
  }
  renameSync(`${file}.new`, file);
}

function stylesheet(): string {
  return readFileSync(new URL("../pages/style.css", import.meta.url), "utf8");
}
