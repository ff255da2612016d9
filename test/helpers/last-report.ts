import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { inspectWorkspace } from "../../src/storage/workspace/inspect.js";
import { type RunReport, runReportSchema } from "../../src/web/report/run-report.js";

export interface LastReport {
  readonly folder: string;
  readonly report: RunReport;
}

/** The report that was made last in a workspace. */
export function lastReport(workspace: string): LastReport {
  const reports = join(workspace, "reports");
  const made = readdirSync(reports)
    .map((name) => join(reports, name))
    .filter((folder) => existsSync(join(folder, "report.json")))
    .map((folder) => ({ folder, report: reportIn(folder) }));
  // Runs of one second have no order by their names.
  const last = made.toSorted((one, other) => one.report.madeAt.localeCompare(other.report.madeAt)).at(-1);
  if (last === undefined) throw new Error(`No run left a report in ${workspace}.`);
  return last;
}

function reportIn(folder: string): RunReport {
  return runReportSchema.parse(JSON.parse(readFileSync(join(folder, "report.json"), "utf8")));
}

/** What is not 0 in the row of a kind, losses aside. */
export function rowOf({ kinds }: RunReport, kind: string): Readonly<Record<string, number>> {
  const found = kinds.find((row) => row.kind === kind);
  if (found === undefined) return {};
  const { kind: _, losses: __, ...counts } = found;
  return Object.fromEntries(Object.entries(counts).filter(([, value]) => value !== 0));
}

/** Of every kind that goes to a site each item stands in one column, and in no more. */
export async function expectToAddUp(workspace: string, report: RunReport): Promise<void> {
  const inspected = await inspectWorkspace(workspace);
  try {
    const counts = Object.entries(inspected.items.counts()).filter(([kind]) => kind !== "record");
    const sums = counts.map(([kind]) => {
      const { read: _, ...outcomes } = rowOf(report, kind);
      return [kind, Object.values(outcomes).reduce((sum, value) => sum + value, 0)];
    });
    expect(Object.fromEntries(sums)).toEqual(Object.fromEntries(counts.map(([kind, { present }]) => [kind, present])));
  } finally {
    await inspected.close();
  }
}
