import type { ConnectedTarget } from "../compose.js";
import { EXIT, type ExitCode } from "../../core/errors.js";
import type { Key } from "../../core/model/key.js";
import { describeExtract, type ExtractSummary } from "../../sync/extract-summary.js";
import type { LoadSummary } from "../../sync/load.js";
import { type LossReport, writeLossReport } from "../../sync/loss-report.js";
import type { LargePlan } from "../../sync/plan.js";
import type { VerifySummary } from "../../sync/verify/verify.js";
import { NO_COUNTS, totalOf } from "../../web/report/count-run.js";
import type { RunCounts } from "../../web/report/run-report.js";
import type { Failure } from "../../storage/workspace/failure-list.js";
import type { Place } from "../location.js";
import type { Settings } from "../options/table.js";
import { describeFailures, describeLeftOut, describeLoad, describeLosses } from "../output/describe.js";
import { describeUnusedPairs } from "../output/describe-unused-pairs.js";
import { printExtract } from "../output/print-extract.js";
import { hasChanges, printPlan } from "../output/print-plan.js";
import { describeVerify } from "../output/print-verify.js";
import { retryCommand } from "./choices.js";
import { countDone, keptCounts } from "./count-done.js";
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
export async function finish(session: Session, given: Done, words: Words = {}): Promise<Ended> {
  const { call, workspace } = session;
  const { output, settings } = call;
  const there = given.loaded ?? given.verified;
  const report = given.loaded === undefined ? undefined : await lossReport(session, given.loaded);
  const failures = concerning(workspace.failures.list(), there?.target.root);
  const { extracted } = given;
  const counts =
    there === undefined
      ? undefined
      : await countDone(session, there.target.root, { extracted, failures, report, again: words.again });
  // An extract has warned by itself.
  if (there !== undefined && extracted === undefined)
    warnOfNothing(session, there.items + (counts?.leftOut.count ?? 0));
  const done = counts === undefined ? given : asCounted(given, counts);
  const maps = given.loaded === undefined || counts === undefined ? [] : await mapsFor(session, given.loaded, counts);
  const open = given.loaded === undefined || report === undefined ? [] : unasked(session, given.loaded, report);
  const exitCode =
    open.length > 0 && failures.length === 0
      ? EXIT.someFailed
      : exitCodeOf(done, { failures, counts, report, strict: settings.strict });
  for (const failure of failures) output.event("failure", failure);
  const lines = [
    ...(words.before ?? []),
    ...describeRun(done, {
      ...{ failures, counts: counts ?? NO_COUNTS, report, directory: workspace.directory },
      again: words.failed ?? retryCommand(workspace.directory, settings),
    }),
    ...maps,
    ...open,
  ];
  const file = await keepWords(session, [...(extracted === undefined ? [] : describeExtract(extracted)), ...lines]);
  output.close();
  if (extracted !== undefined) printExtract(extracted, output);
  for (const line of [...lines, `These words are in ${file}.`]) output.say(line);
  const facts = {
    ...words.facts,
    ...withoutPeople(done),
    ...counts,
    losses: report?.losses,
    failures: failures.length,
  };
  output.event("summary", { exitCode, ...facts, report: report?.file });
  const kept = counts === undefined ? {} : keptCounts(counts);
  return { exitCode, summary: { ...withoutPeople(done), ...kept, failures: failures.length, losses: report?.totals } };
}

/** What a command says otherwise than `migrate`. */
export interface Words {
  /** Lines before all others. */
  readonly before?: readonly string[];
  /** What `--json` says beside the rest. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** What takes up failures. Default: `retry`. */
  readonly failed?: string;
  /** See countDone. */
  readonly again?: ((options: string) => string) | undefined;
}

/** People are told in words, and in lists to fill in. */
function withoutPeople({ loaded, ...done }: Done) {
  if (loaded === undefined) return done;
  const { unknown: _, ...rest } = loaded;
  return { ...done, loaded: rest };
}

/** Where pages about people were left out, lists of them to fill in. */
async function mapsFor(
  { workspace }: Session,
  { unknown }: LoadSummary,
  { leftOut }: RunCounts,
): Promise<readonly string[]> {
  if (!leftOut.ways.some(({ takenInBy }) => takenInBy?.includes("-map "))) return [];
  return offerPeopleMaps(workspace, { unknown, unused: { users: [], teams: [] } });
}

/** The counts of items have one source, so a load and a comparison say them as everything else does. */
function asCounted(done: Done, { kinds, leftOut }: RunCounts): Done {
  const [adopted, failed, refused] = [totalOf(kinds, "linked"), totalOf(kinds, "failed"), leftOut.count];
  return {
    ...done,
    ...(done.loaded === undefined ? {} : { loaded: { ...done.loaded, adopted, refused, failed } }),
    ...(done.verified === undefined ? {} : { verified: { ...done.verified, adopted } }),
  };
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

/** What is told of a run beside what it did. */
interface Told {
  readonly failures: readonly Failure[];
  readonly counts: RunCounts;
  readonly report: LossReport | undefined;
  readonly directory: string;
  /** The command that takes up failures. */
  readonly again: string;
}

function describeRun(
  { loaded, verified, unverified }: Done,
  { failures, counts, report, directory, again }: Told,
): readonly string[] {
  return [
    ...(loaded === undefined ? [] : describeLoad(loaded, counts)),
    ...(verified === undefined ? [] : describeVerify(verified)),
    ...(unverified === true ? ["Nothing was read back (--verify none)."] : []),
    ...(report === undefined ? [] : describeLosses(report)),
    ...describeLeftOut(counts, directory),
    ...describeFailures(failures, directory, again),
  ];
}

/** What the end of a run is decided by. */
interface Outcome {
  readonly failures: readonly Failure[];
  /** undefined: the run only read. */
  readonly counts: RunCounts | undefined;
  readonly report: LossReport | undefined;
  readonly strict: boolean;
}

/**
 * In a run that loads, what could have gone and did not weighs most: it also explains differences. One that only compares
 * was asked for differences.
 */
function exitCodeOf({ loaded, verified }: Done, { failures, counts, report, strict }: Outcome): ExitCode {
  const different = (verified?.differences ?? 0) > 0;
  if (different && loaded === undefined) return EXIT.differences;
  if (failures.length > 0 || (loaded?.operations.failed ?? 0) > 0) return EXIT.someFailed;
  if ((counts?.leftOut.count ?? 0) > 0) return EXIT.someFailed;
  if (different) return EXIT.differences;
  const lost = report === undefined ? 0 : report.totals.loss + report.totals.error;
  return strict && lost > 0 ? EXIT.losses : EXIT.ok;
}
