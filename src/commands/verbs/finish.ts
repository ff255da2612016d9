import type { ConnectedTarget } from "../../compose.js";
import { EXIT, type ExitCode } from "../../errors.js";
import type { Key } from "../../model/key.js";
import { describeExtract, type ExtractSummary } from "../../pipeline/extract-summary.js";
import type { LoadSummary } from "../../pipeline/load.js";
import { type LossReport, writeLossReport } from "../../pipeline/loss-report.js";
import type { LargePlan } from "../../pipeline/plan.js";
import type { VerifySummary } from "../../pipeline/verify/verify.js";
import type { Failure } from "../../workspace/failure-list.js";
import type { Place } from "../location.js";
import type { Settings } from "../options/table.js";
import { describeFailures, describeLoad, describeLosses } from "../output/describe.js";
import { describeUnusedPairs } from "../output/describe-unused-pairs.js";
import { printExtract } from "../output/print-extract.js";
import { hasChanges, printPlan } from "../output/print-plan.js";
import { describeVerify } from "../output/print-verify.js";
import { keepPlan } from "./keep-plan.js";
import { keepWords } from "./keep-words.js";
import { offerPeopleMaps } from "./offer-people-maps.js";
import { warnOfNothing } from "./selection.js";
import type { Ended, Session } from "./session.js";
import { planFor } from "./target-steps.js";
import { unasked } from "./unasked.js";

/** What a command did, as far as it went. */
export interface Done {
  readonly extracted?: ExtractSummary;
  readonly loaded?: LoadSummary;
  readonly verified?: VerifySummary;
  /** Nothing was read back after the load, on request. */
  readonly unverified?: true;
}

/** Tells what a run did, leaves the same words in its report folder, and decides how it ends. */
export async function finish(session: Session, done: Done): Promise<Ended> {
  const { call, workspace } = session;
  const { output, settings } = call;
  const there = done.loaded ?? done.verified;
  // An extract has warned by itself.
  if (there !== undefined && done.extracted === undefined) warnOfNothing(session, there.items + there.refused);
  const report = done.loaded === undefined ? undefined : await lossReport(session, done.loaded);
  const failures = concerning(workspace.failures.list(), there?.target.root);
  const open = done.loaded === undefined || report === undefined ? [] : unasked(session, done.loaded, report);
  const exitCode =
    open.length > 0 && failures.length === 0 ? EXIT.someFailed : exitCodeOf(done, failures, report, settings.strict);
  for (const failure of failures) output.event("failure", failure);
  const { extracted } = done;
  const lines = [...describeRun(done, failures, report, workspace.directory), ...open];
  const file = await keepWords(session, [...(extracted === undefined ? [] : describeExtract(extracted)), ...lines]);
  output.close();
  if (extracted !== undefined) printExtract(extracted, output);
  for (const line of [...lines, `These words are in ${file}.`]) output.say(line);
  output.event("summary", {
    exitCode,
    ...done,
    losses: report?.losses,
    failures: failures.length,
    report: report?.file,
  });
  return { exitCode, summary: { ...done, failures: failures.length, losses: report?.totals } };
}

/** Failures of the source, and those of the target that was loaded or compared: what failed at another one is another run's business. */
function concerning(failures: readonly Failure[], root: string | undefined): readonly Failure[] {
  return failures.filter(({ target }) => target === null || root === undefined || target === root);
}

/** What a plan is of. */
interface PlanOf {
  readonly extracted?: ExtractSummary;
  readonly keys?: ReadonlySet<Key>;
  /** Where its content was read from; absent: the plan is not kept. */
  readonly place?: Place;
}

/** Tells what a load would do, and decides how that ends. */
export async function finishPlan(
  session: Session,
  connected: ConnectedTarget,
  { extracted, keys, place }: PlanOf = {},
): Promise<Ended> {
  const { output, settings } = session.call;
  const plan = await planFor(session, connected, keys);
  output.close();
  if (extracted === undefined)
    warnOfNothing(
      session,
      Object.values(plan.counts).reduce((sum, each) => sum + each, 0),
    );
  if (extracted !== undefined) printExtract(extracted, output);
  if (place !== undefined) await keepPlan(session, plan, place);
  const exitCode = planExit(plan, extracted, settings);
  printPlan(plan, exitCode, output, settings);
  for (const line of describeUnusedPairs(settings, plan.job.outlook)) output.say(line);
  for (const line of await offerPeopleMaps(session.workspace, plan.job.people)) output.say(line);
  return { exitCode, summary: { counts: plan.counts, requests: plan.requests } };
}

/** A plan over a source that could not be read whole is not the whole plan. */
function planExit(plan: LargePlan, extracted: ExtractSummary | undefined, { detailedExitcode }: Settings): ExitCode {
  if ((extracted?.failures ?? 0) > 0) return EXIT.someFailed;
  return detailedExitcode && hasChanges(plan) ? EXIT.planHasChanges : EXIT.ok;
}

async function lossReport({ call, workspace }: Session, { target }: LoadSummary): Promise<LossReport> {
  const ledger = workspace.ledger(target);
  if (call.settings.json) for await (const issue of ledger.issues()) call.output.event("issue", issue);
  return writeLossReport(workspace, ledger);
}

function describeRun(
  { loaded, verified, unverified }: Done,
  failures: readonly Failure[],
  report: LossReport | undefined,
  directory: string,
): readonly string[] {
  return [
    ...(loaded === undefined ? [] : describeLoad(loaded)),
    ...(verified === undefined ? [] : describeVerify(verified)),
    ...(unverified === true ? ["Nothing was read back (--verify none)."] : []),
    ...(report === undefined ? [] : describeLosses(report)),
    ...describeFailures(failures, directory),
  ];
}

/**
 * In a run that loads, what could have gone and failed weighs most: it also explains differences. One that only compares
 * was asked for differences.
 */
function exitCodeOf(
  { extracted, loaded, verified }: Done,
  failures: readonly Failure[],
  report: LossReport | undefined,
  strict: boolean,
): ExitCode {
  const different = (verified?.differences ?? 0) > 0;
  if (different && loaded === undefined) return EXIT.differences;
  if (failures.length > 0 || (loaded?.operations.failed ?? 0) > 0) return EXIT.someFailed;
  if (different) return EXIT.differences;
  // What could not be read at the source for good is lost on the way too; no item stands for it in the loss ledger.
  const lost = report === undefined ? 0 : report.totals.loss + report.totals.error + (extracted?.archived.length ?? 0);
  return strict && lost > 0 ? EXIT.losses : EXIT.ok;
}
