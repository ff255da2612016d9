import { EXIT, type ExitCode } from "../../core/errors.js";
import type { Issue } from "../../core/model/issue.js";
import { composeTransforms } from "../../sync/compose-transforms.js";
import type { BundleParts } from "../../documents/bundle-content.js";
import {
  type BundleSummary,
  type ComparedBundles,
  loadBundles,
  verifyBundles,
} from "../../documents/load-bundles.js";
import { planBundles } from "../../documents/plan-bundles.js";
import { describeExtract } from "../../sync/extract-summary.js";
import type { Failure } from "../../storage/workspace/failure-list.js";
import { layoutOf } from "../../storage/workspace/layout.js";
import type { BundlePlace } from "../location.js";
import { describeFailures } from "../output/describe.js";
import { describeBundles } from "../output/describe-bundles.js";
import { printBundlePlan } from "../output/print-bundle-plan.js";
import { printExtract } from "../output/print-extract.js";
import { keepWords } from "./keep-words.js";
import type { Read } from "./migration.js";
import { flagsOfSelection, storedSelection } from "./selection.js";
import { controlOf, type Ended, type Session } from "./session.js";

/** Writes the workspace as bundles, each read back, and tells how it went. */
export async function loadIntoBundles(session: Session, place: BundlePlace, read: Read): Promise<Ended> {
  const { workspace } = session;
  const files = {
    scratch: layoutOf(workspace.directory).temporary,
    report: workspace.reportFile("losses.ndjson"),
    tell: (issue: Issue) => session.call.output.event("issue", issue),
  };
  const loaded = await loadBundles(await partsOf(session), place, files);
  return end(session, { ...read, loaded, bundles: loaded.bundles, stale: loaded.stale });
}

/** Compares bundles with the workspace, and tells what differs. */
export async function verifyAtBundles(session: Session, place: BundlePlace, read: Read): Promise<Ended> {
  const { output, settings } = session.call;
  const chosen = flagsOfSelection(settings);
  if (chosen !== "") output.note(`Compared with what was chosen for it: ${chosen}`);
  return end(session, { ...read, ...(await verifyBundles(await partsOf(session), place)) });
}

/** Says what a load would write as bundles; writes none. */
export async function planForBundles(session: Session, place: BundlePlace, { extracted }: Read): Promise<Ended> {
  const { call, workspace } = session;
  const { output, settings } = call;
  const plan = await planBundles(await partsOf(session), place, workspace.reportFile("losses.ndjson"));
  output.close();
  if (extracted !== undefined) printExtract(extracted, output);
  const hasChanges = plan.bundles.some(({ action }) => action !== "leave");
  const planned = settings.detailedExitcode && hasChanges ? EXIT.planHasChanges : EXIT.ok;
  // A plan over a source that could not be read whole is not the whole plan.
  const exitCode = (extracted?.failures ?? 0) > 0 ? EXIT.someFailed : planned;
  printBundlePlan(plan, exitCode, output, settings.verbose);
  return { exitCode, summary: { bundles: plan.bundles.length } };
}

async function partsOf(session: Session): Promise<BundleParts> {
  const { call, workspace, transforms } = session;
  const source = workspace.source();
  const selected = await storedSelection(session);
  return {
    workspace,
    transforms: source === undefined ? [] : composeTransforms(transforms, source, workspace.items),
    control: controlOf(call),
    ...(selected === undefined ? {} : { selected: new Set(selected.keys()) }),
  };
}

interface Done extends Read, ComparedBundles {
  readonly loaded?: BundleSummary;
}

async function end(session: Session, done: Done): Promise<Ended> {
  const { call, workspace } = session;
  const { output, settings } = call;
  // What failed at a site that was loaded is another run's business.
  const failures = workspace.failures.list().filter(({ target }) => target === null);
  const exitCode = exitCodeOf(done, failures, settings.strict);
  for (const failure of failures) output.event("failure", failure);
  for (const { file, differences } of done.bundles)
    for (const difference of differences) output.event("difference", { file, ...difference });
  const lines = [
    ...describeBundles(done, done.loaded),
    ...describeFailures(failures, workspace.directory, "the same command, which also writes the bundle anew"),
  ];
  const extracted = done.extracted === undefined ? [] : describeExtract(done.extracted);
  const file = await keepWords(session, [...extracted, ...lines]);
  output.close();
  if (done.extracted !== undefined) printExtract(done.extracted, output);
  for (const line of [...lines, `These words are in ${file}.`]) output.say(line);
  output.event("summary", {
    exitCode,
    extracted: done.extracted,
    bundles: done.bundles,
    stale: done.stale,
    losses: done.loaded?.losses,
    failures: failures.length,
  });
  const kinds = { item: itemsOf(done, failures.length) };
  return { exitCode, summary: { ...done.loaded?.losses.totals, failures: failures.length, kinds } };
}

/** What became of the items, media aside: a bundle is written whole, or says the same already. */
function itemsOf({ bundles, loaded }: Done, failed: number) {
  const within = (written: boolean): number =>
    bundles.filter((bundle) => bundle.written === written).reduce((sum, { items }) => sum + items, 0);
  const { loss, error } = loaded?.losses.totals ?? { loss: 0, error: 0 };
  return { created: within(true), unchanged: within(false), failed, losses: loss + error };
}

/** As after a load into a site: what failed weighs most in a run that writes; what a sidecar keeps is not lost. */
function exitCodeOf({ extracted, loaded, bundles }: Done, failures: readonly Failure[], strict: boolean): ExitCode {
  const different = bundles.some(({ damage, differences }) => damage !== null || differences.length > 0);
  if (different && loaded === undefined) return EXIT.differences;
  if (failures.length > 0) return EXIT.someFailed;
  if (different) return EXIT.differences;
  const { loss, error } = loaded?.losses.totals ?? { loss: 0, error: 0 };
  const lost = loaded === undefined ? 0 : loss + error + (extracted?.archived.length ?? 0);
  return strict && lost > 0 ? EXIT.losses : EXIT.ok;
}
