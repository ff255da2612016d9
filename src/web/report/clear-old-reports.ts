import { readdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Runs whose reports stay: of nightly ones more than three months. */
export const KEPT_REPORTS = 100;

/** As the run log names a run; sorted they stand in the order of time. */
const RUN = /^\d{8}T\d{6}-[0-9a-f]{6}$/;

/** What a run leaves of itself. Everything else in its folder is for people to work with: maps of people, lists of packages, what could not be undone. */
const FILES = ["report.html", "report.json", "course.json", "summary.txt", "losses.ndjson", "paused"];

/**
 * Takes away the reports of all but the last runs, and their folders where nothing else lies there; `guideferry report --run` makes the page of such a run again. Returns how
 * many were taken away. Throws what the system says. `folder`: `reports` of a workspace.
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
