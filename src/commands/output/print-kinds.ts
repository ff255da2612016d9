import { kindColumns } from "../../web/report/kind-columns.js";
import { isStopped } from "../../web/report/run-at-target.js";
import type { RunReport } from "../../web/report/run-report.js";
import type { Output } from "./output.js";

/** Commands that write items to a site, or compare them there. Others tell what they did in words of their own. */
const TOLD: ReadonlySet<string> = new Set(["migrate", "load", "apply", "retry", "restore", "demo", "undo", "verify"]);

/** The closing table of a run: what became of the items of each kind. None where the run did nothing with any. */
export function printKinds(report: RunReport, output: Output): void {
  const { kinds, target, run } = report;
  // Who only reads tells it at the end, to which a stopped run does not come.
  const isTold = target?.reached !== true ? isStopped(run) : TOLD.has(run.command);
  if (kinds.length === 0 || !isTold) return;
  const columns = kindColumns(report);
  output.say("");
  output.table(
    ["kind", ...columns.map(({ name }) => name)],
    kinds.map((row) => [row.kind, ...columns.map(({ of }) => row[of])]),
  );
  output.say("");
}
