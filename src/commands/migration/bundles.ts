import { relative } from "node:path";
import { EXIT, type ExitCode, UsageError } from "../../core/errors.js";
import type { Issue } from "../../core/model/issue.js";
import type { BundleParts } from "../../documents/bundle-content.js";
import type { BundleLosses } from "../../documents/load-bundles.js";
import {
  type BundlePlan,
  type BundleSummary,
  type ComparedBundles,
  loadBundles,
  type PlannedFile,
  planBundles,
  refuseBundlePlace,
  verifyBundles,
  type WrittenBundle,
} from "../../documents/load-bundles.js";
import type { BundlePlace } from "../../documents/package-name.js";
import type { Failure } from "../../storage/workspace/failure-list.js";
import { layoutOf } from "../../storage/workspace/layout.js";
import { describeExtract } from "../../sync/extract/summary.js";
import { composeTransforms } from "../../sync/load/transform-preview.js";
import type { CommandCall, RunEnd } from "../command.js";
import { documentsIn, type Place, readFolder, refuseInside, rootOf } from "../location.js";
import { warnOfUnused } from "../option-effects.js";
import { describeCodes, describeFailures, indented } from "../output/describe.js";
import type { Output } from "../output/output.js";
import { count } from "../output/words.js";
import type { BundleFacts, BundlePlanFacts, BundlePlanResult, BundleResult, Read } from "../results.js";
import { bundleRoot } from "../session/choices.js";
import { flagsOfSelection, storedSelection } from "../session/selection.js";
import {
  controlOf,
  type Ended,
  keepSummary,
  type Session,
  type SessionPlan,
  withWorkspace,
} from "../session/session.js";
import { printExtract } from "./finish.js";
import { refresh } from "./steps.js";

/** Writes or plans bundles after a source was extracted; a wrong place is refused before that. */
export async function intoBundles(
  call: CommandCall,
  command: string,
  place: Place,
  goal: BundlePlace,
): Promise<BundleResult | BundlePlanResult> {
  refuseOverItself(place, goal);
  await refuseBundlePlace(goal);
  const isPlan = command === "plan" || call.settings.dryRun;
  const work = isPlan ? planForBundles : loadIntoBundles;
  const run = { command, task: command === "plan" ? "plan" : "load", place, goal } as const;
  return withPlace<BundleFacts | BundlePlanFacts>(call, run, (session, read) => work(session, goal, read));
}

/** Compares bundles with the workspace, after a source was extracted, by their choice of items. */
export async function againstBundles(call: CommandCall, place: Place, goal: BundlePlace): Promise<BundleResult> {
  return withPlace(call, { command: "verify", task: "verify", place, goal, asBefore: true }, (session, read) =>
    verifyAtBundles(session, goal, read),
  );
}

interface BundleRun extends Pick<SessionPlan, "command" | "task"> {
  readonly place: Place;
  readonly goal: BundlePlace;
  readonly asBefore?: boolean;
}

async function withPlace<Facts extends object>(
  call: CommandCall,
  { command, task, place, goal, asBefore = false }: BundleRun,
  work: (session: Session, read: Read) => Promise<Ended<Facts>>,
): Promise<Facts & RunEnd> {
  const isSource = !("workspace" in place);
  const directory = isSource ? readFolder(call.settings.workspace) : place.workspace;
  refuseInside(place, directory);
  const target = bundleRoot("bundle" in goal ? goal.bundle : goal.bundles);
  const sites = isSource ? { source: rootOf(place), target } : { target };
  warnOfUnused(call, { place, target: goal });
  const plan = { command, task, directory, create: isSource, sites, asBefore, ...documentsIn(place) };
  return withWorkspace(call, plan, async (session) =>
    work(session, "workspace" in place ? {} : { extracted: await refresh(session, place) }),
  );
}

/** A bundle among the documents would be read as one of them next time. */
function refuseOverItself(place: Place, goal: BundlePlace): void {
  if (!("documents" in place)) return;
  const path = "bundle" in goal ? goal.bundle : goal.bundles;
  const way = relative(place.documents, path);
  if (way !== "" && (way.startsWith("..") || relative(path, place.documents) === "")) return;
  throw new UsageError(`${path} is in ${place.documents}, which is the source. Name another place for the bundle.`);
}

async function loadIntoBundles(session: Session, place: BundlePlace, read: Read): Promise<Ended<BundleFacts>> {
  const { workspace } = session;
  const files = {
    scratch: layoutOf(workspace.directory).temporary,
    report: workspace.reportFile("losses.ndjson"),
    tell: (issue: Issue) => session.call.output.event("issue", issue),
  };
  const loaded = await loadBundles(await partsOf(session), place, files);
  return end(session, { ...read, loaded, bundles: loaded.bundles, stale: loaded.stale });
}

async function verifyAtBundles(session: Session, place: BundlePlace, read: Read): Promise<Ended<BundleFacts>> {
  const { output, settings } = session.call;
  const chosen = flagsOfSelection(settings);
  if (chosen !== "") output.note(`Compared with the choice of items from its load: ${chosen}`);
  return end(session, { ...read, ...(await verifyBundles(await partsOf(session), place)) });
}

async function planForBundles(
  session: Session,
  place: BundlePlace,
  { extracted }: Read,
): Promise<Ended<BundlePlanFacts>> {
  const { call, workspace } = session;
  const { output, settings } = call;
  const plan = await planBundles(await partsOf(session), place, workspace.reportFile("losses.ndjson"));
  output.close();
  if (extracted !== undefined) printExtract(extracted, output);
  const hasChanges = plan.bundles.some(({ action }) => action !== "leave");
  const planned = settings.detailedExitcode && hasChanges ? EXIT.planHasChanges : EXIT.ok;
  // A plan is incomplete if the source could not be read completely.
  const exitCode = (extracted?.failures ?? 0) > 0 ? EXIT.someFailed : planned;
  const facts = printBundlePlan(plan, output, settings.verbose);
  return { exitCode, summary: { bundles: plan.bundles.length }, facts };
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

async function end(session: Session, done: Done): Promise<Ended<BundleFacts>> {
  const { call, workspace } = session;
  const { output, settings } = call;
  // Failures on sites belong to other runs.
  const failures = workspace.failures.list().filter(({ target }) => target === null);
  const exitCode = exitCodeOf(done, failures, settings.strict);
  for (const failure of failures) output.event("failure", failure);
  for (const { file, differences } of done.bundles)
    for (const difference of differences) output.event("difference", { file, ...difference });
  const lines = [
    ...describeBundles(done, done.loaded),
    ...describeFailures(
      failures,
      workspace.directory,
      "run the same command again, which also writes the bundle again",
    ),
  ];
  const extracted = done.extracted === undefined ? [] : describeExtract(done.extracted);
  const file = await keepSummary(session, [...extracted, ...lines]);
  output.close();
  if (done.extracted !== undefined) printExtract(done.extracted, output);
  for (const line of [...lines, `Summary saved to ${file}.`]) output.say(line);
  const { extracted: read, bundles, stale } = done;
  const losses = done.loaded?.losses;
  const kinds = { item: itemsOf(done, failures.length) };
  return {
    exitCode,
    summary: { ...losses?.totals, failures: failures.length, kinds },
    facts: { extracted: read, bundles, stale, losses, failures: failures.length },
  };
}

function itemsOf({ bundles, loaded }: Done, failed: number) {
  const within = (written: boolean): number =>
    bundles.filter((bundle) => bundle.written === written).reduce((sum, { items }) => sum + items, 0);
  const { loss, error } = loaded?.losses.totals ?? { loss: 0, error: 0 };
  return { created: within(true), unchanged: within(false), failed, losses: loss + error };
}

/** As after a load into a site, failures count first; values that a sidecar keeps are not lost. */
function exitCodeOf({ extracted, loaded, bundles }: Done, failures: readonly Failure[], strict: boolean): ExitCode {
  const different = bundles.some(({ damage, differences }) => damage !== null || differences.length > 0);
  if (different && loaded === undefined) return EXIT.differences;
  if (failures.length > 0) return EXIT.someFailed;
  if (different) return EXIT.differences;
  const { loss, error } = loaded?.losses.totals ?? { loss: 0, error: 0 };
  const lost = loaded === undefined ? 0 : loss + error + (extracted?.archived.length ?? 0);
  return strict && lost > 0 ? EXIT.losses : EXIT.ok;
}

const ACTION_WORDS: Readonly<Record<PlannedFile["action"], string>> = {
  create: "create",
  change: "replace",
  leave: "leave",
};

const CHANGES: Readonly<Record<PlannedFile["differences"][number]["what"], string>> = {
  missing: "would be added",
  unexpected: "would be removed",
  changed: "has other content in the existing bundle",
  bytes: "has other bytes in the existing bundle",
};

/** Prints the bundles that a load would write and, with --verbose, what would change in them. */
function printBundlePlan(plan: BundlePlan, output: Output, verbose: boolean): BundlePlanFacts {
  const { bundles, losses, stale } = plan;
  for (const bundle of bundles) {
    output.event("plan", bundle);
    if (verbose || bundle.action !== "leave") printBundle(bundle, output, verbose);
  }
  const counted = { create: 0, change: 0, leave: 0 };
  for (const { action } of bundles) counted[action] += 1;
  output.say(`\n${counted.create} to create, ${counted.change} to replace, ${counted.leave} to leave unchanged.`);
  for (const line of [...describeKept(losses), ...describeStale(stale)]) output.say(line);
  output.say("Nothing was written.");
  return { counts: counted, losses, stale };
}

function printBundle(
  { action, file, items, files, mediaFiles, damage, differences }: PlannedFile,
  output: Output,
  all: boolean,
) {
  const changes =
    damage !== null
      ? "; the existing bundle is damaged"
      : action === "change"
        ? `; ${count(differences.length, "item")} to change`
        : "";
  output.say(
    `${ACTION_WORDS[action].padEnd(8)}${file}: ${count(items, "item")}, ${count(files, "file")}, ${mediaFiles} of them media${changes}`,
  );
  if (all) for (const { key, what } of differences) output.say(`           ${key}: ${CHANGES[what]}`);
}

/** Differences that are named one by one; `--json` has all. */
const NAMED = 20;

function describeBundles({ bundles, stale }: ComparedBundles, loaded?: BundleSummary): readonly string[] {
  return [
    ...bundles.flatMap((bundle) => describeBundle(bundle, loaded !== undefined)),
    ...describeStale(stale),
    ...(loaded === undefined ? [] : describeKept(loaded.losses)),
  ];
}

/** Bundles that no run writes any more; a person may delete them. */
function describeStale(stale: readonly string[]): readonly string[] {
  if (stale.length === 0) return [];
  return [
    `${count(stale.length, "bundle")} of an earlier run in the same folder, for categories that were deleted or are not chosen now, left unchanged:`,
    ...stale.slice(0, NAMED).map((file) => `  ${file}`),
    ...(stale.length > NAMED ? [`  and ${stale.length - NAMED} more; --json prints all`] : []),
    "Delete the ones that nobody needs.",
  ];
}

function describeBundle(bundle: WrittenBundle, isLoad: boolean): readonly string[] {
  const { file, written, damage, items, differences } = bundle;
  if (damage !== null) return [`${file}: could not be compared.`, `  ${indented(damage)}`];
  const done = written ? "written, read back and compared" : "unchanged, read back and compared";
  const result = differences.length === 0 ? "no differences" : count(differences.length, "difference");
  const more = differences.length - NAMED;
  return [
    `${file}: ${isLoad ? done : "compared"}: ${count(items, "item")}, ${result}.`,
    ...differences.slice(0, NAMED).map(({ key, what }) => `  ${key}: ${DIFFERENCE_WORDS[what]}`),
    ...(more > 0 ? [`  and ${more} more; --json prints all`] : []),
  ];
}

const DIFFERENCE_WORDS: Readonly<Record<WrittenBundle["differences"][number]["what"], string>> = {
  missing: "not in the bundle",
  unexpected: "in the bundle, but not among the chosen items of the workspace",
  changed: "has other content in the bundle",
  bytes: "has other bytes in the bundle than in the workspace",
};

function describeKept({ totals, losses, kept, file }: BundleLosses): readonly string[] {
  const all = totals.loss + totals.error;
  const values = Object.values(kept).reduce((sum, each) => sum + each, 0);
  if (all + totals.note + values === 0) return ["Nothing was lost."];
  return [
    ...(values === 0
      ? []
      : [
          `oManual has no place for ${count(values, "value")}; guideferry.json in the bundle keeps them:`,
          `  ${describeCodes(kept)}`,
        ]),
    `${all === 0 ? "Nothing was lost." : `${count(all, "value")} lost.`} There ${totals.note === 1 ? "is" : "are"} also ${count(totals.note, "note")}.`,
    ...Object.entries(losses).map(([kind, codes]) => `  ${kind}: ${describeCodes(codes)}`),
    `The loss ledger lists each with item, field and reason: ${file}`,
  ];
}
