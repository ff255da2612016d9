import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { storageError } from "../../storage/storage-error.js";
import { inspectWorkspace, type ReadonlyWorkspace } from "../../storage/workspace/inspect.js";
import { layoutOf } from "../../storage/workspace/layout.js";
import type { Run, RunReader } from "../../storage/workspace/run-log.js";
import { gatherReport, lossesOf, movedIn, type ReportParts } from "./gather-report.js";
import { reportHtml } from "./report-page.js";
import { keptReport, type RunReport } from "./run-report.js";

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
 * Writes `report.html` and `report.json` of a run into its folder of the workspace,
 * `reports/<run id>`, each whole or not at all, and `losses.ndjson` where a run did not come to
 * that. Looks only, so that it works while another run is on. What the report of a run that ended
 * says, it says for ever: later runs change how the workspace stands. Throws WorkspaceError as
 * `inspectWorkspace` does, and where a file can't be written.
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

/** Pieces are small, and a write each would cost more than they do. */
const CHUNK = 64 * 1024;

/**
 * Writes a file piece by piece: a reader sees the old one or all of the new one, and nothing half
 * written stays. Throws what the system says, and what the pieces throw.
 */
async function writeWhole(file: string, pieces: Iterable<string>): Promise<void> {
  const fresh = `${file}.new`;
  try {
    await writePieces(fresh, pieces);
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}

async function writePieces(file: string, pieces: Iterable<string>): Promise<void> {
  const handle = await open(file, "w", 0o600);
  try {
    let chunk = "";
    for (const piece of pieces) {
      chunk += piece;
      if (chunk.length < CHUNK) continue;
      await handle.writeFile(chunk);
      chunk = "";
    }
    await handle.writeFile(chunk);
  } finally {
    await handle.close();
  }
}

/** Runs whose reports stay: of nightly ones more than three months. */
export const KEPT_REPORTS = 100;

/** As the run log names a run; sorted they stand in the order of time. */
const RUN = /^\d{8}T\d{6}-[0-9a-f]{6}$/;

/**
 * What a run leaves of itself. Everything else in its folder is for people to work with: maps of
 * people, lists of packages, what could not be undone.
 */
const FILES = ["report.html", "report.json", "course.json", "summary.txt", "losses.ndjson", "paused"];

/**
 * Takes away the reports of all but the last runs, and their folders where nothing else lies there;
 * `guideferry report --run` makes the page of such a run again. Returns how many were taken away.
 * Throws what the system says. `folder`: `reports` of a workspace.
 */
export function clearOldReports(folder: string, kept = KEPT_REPORTS): number {
  const runs = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && RUN.test(entry.name))
    .map(({ name }) => name)
    .toSorted();
  return runs.slice(0, Math.max(0, runs.length - kept)).filter((run) => clear(join(folder, run))).length;
}

/** Was there anything? */
function clear(run: string): boolean {
  const there = readdirSync(run);
  const own = there.filter((name) => FILES.includes(name.replace(/\.new$/, "")));
  for (const name of own) rmSync(join(run, name));
  if (own.length === there.length) rmdirSync(run);
  return own.length > 0 || there.length === 0;
}
