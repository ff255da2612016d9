import { join } from "node:path";
import { expect } from "vitest";
import type { SafetyLimitError } from "../../src/core/errors.js";
import type { LoadSummary } from "../../src/sync/load/load-summary.js";
import { applyPlan } from "../../src/sync/plan/apply-plan.js";
import type { ShownItem } from "../../src/sync/plan/draft.js";
import { type LargePlan, largePlan } from "../../src/sync/plan/plan.js";
import type { PlanRow } from "../../src/sync/plan/plan-file.js";
import { type PlanReader, readPlanFile, writePlanFile } from "../../src/sync/plan/plan-file.js";
import { htmlPlan } from "../../src/web/plan-page.js";
import { extractFrom, type MigrationOptions, withTarget } from "./migration.js";
import type { Pair } from "./small-sites.js";
import { temporaryFolder } from "./temporary-folder.js";

const MAKING = { guideferry: "0.0.0", madeAt: "2026-11-21T00:00:00.000Z", read: null, choices: {}, transforms: [] };

/** Reads the source and saves what is to be done. Returns the file. */
export async function savedPlan(pair: Pair, options: MigrationOptions = {}): Promise<string> {
  await extractFrom(pair.source, pair.workspace, options);
  const file = join(await temporaryFolder(), "some.plan");
  await withPlan(pair, options, (plan) => writePlanFile(file, plan, MAKING));
  return file;
}

/** Reads the source again and carries out a plan. */
export async function applied(pair: Pair, file: string, options: MigrationOptions = {}): Promise<LoadSummary> {
  await extractFrom(pair.source, pair.workspace, options);
  const read = await readPlanFile(file);
  return withTarget(pair.target, pair.workspace, options, ({ texts: _texts, ...parts }) =>
    applyPlan({ ...parts, file: read, rate: null, because: new Map() }),
  );
}

/** What a plan shows of each item, and the page. */
export async function shownPlan(
  pair: Pair,
  options: MigrationOptions = {},
): Promise<{ readonly items: readonly ShownItem[]; readonly html: string }> {
  await extractFrom(pair.source, pair.workspace, options);
  return withPlan(pair, options, async (plan) => ({
    items: [...plan.shown()],
    html: [...htmlPlan(plan, MAKING)].join(""),
  }));
}

/** The rows of a plan's file. */
export async function rowsIn(file: string): Promise<readonly PlanRow[]> {
  const rows: PlanRow[] = [];
  const reader: PlanReader = { row: (row) => rows.push(row) };
  await readPlanFile(file, reader);
  return rows;
}

async function withPlan<T>(pair: Pair, options: MigrationOptions, work: (plan: LargePlan) => Promise<T>): Promise<T> {
  return withTarget(pair.target, pair.workspace, options, async ({ texts: _texts, ...parts }) =>
    work(await largePlan({ ...parts, rate: null, because: new Map(), showTexts: true })),
  );
}

/** Refused with 8 before the first write, for this reason. */
export async function expectRefused(pair: Pair, file: string, reason: RegExp, options = {}): Promise<void> {
  const before = pair.writes().length;
  const error = await applied(pair, file, options).then(
    () => undefined,
    (reason: unknown) => reason as SafetyLimitError,
  );
  expect(error?.message).toMatch(reason);
  expect(error).toMatchObject({ name: "SafetyLimitError", exitCode: 8 });
  expect(pair.writes()).toHaveLength(before);
}
