import { EXIT, type ExitCode } from "../../core/errors.js";
import type { Key } from "../../core/model/key.js";
import type { Failure } from "../../storage/workspace/failure-list.js";
import { inspectWorkspace } from "../../storage/workspace/inspect.js";
import type { Run } from "../../storage/workspace/run-log.js";
import {
  describeBeside,
  describeExtract,
  describeMissing,
  describeNotIncluded,
  type ExtractSummary,
  kindsIn,
} from "../../sync/extract/summary.js";
import type { LoadSummary } from "../../sync/load/load-summary.js";
import { type LossReport, writeLossReport } from "../../sync/load/loss-report.js";
import type { TransformPreview } from "../../sync/load/transform-preview.js";
import type { LargePlan } from "../../sync/plan/plan.js";
import { takesEverything } from "../../sync/selection.js";
import { countRun, NO_COUNTS, NOTHING_COUNTED, outcomeRows, outcomesAt, totalOf } from "../../web/report/counts.js";
import { createFailureTally, itemsIn } from "../../web/report/failures.js";
import type { KindRow, LeftOut, NextStep, OutcomeRow, RunCounts } from "../../web/report/run-report.js";
import { OUTCOMES, writeOutcomes } from "../../web/report/write-report.js";
import type { ConnectedTarget } from "../compose.js";
import type { Place } from "../location.js";
import type { Settings } from "../options/table.js";
import {
  type Decision,
  describeDecision,
  describeFailures,
  describeFailuresShort,
  describeLeftOut,
  describeLeftOutShort,
  describeLoad,
  describeLosses,
  describeVerify,
  describeVerifyShort,
  openDecisions,
} from "../output/describe.js";
import { NOTHING_OPEN, nextStep, type OpenWork, planAgain, printStep } from "../output/ending.js";
import type { Output } from "../output/output.js";
import { configFlags, quoted, shellQuote } from "../output/words.js";
import type { FactsOf, PlanFacts, RunFacts, RunParts } from "../results.js";
import { offerPeopleMaps, withMapFile } from "../session/people-maps.js";
import { selectionOf, storedSelection } from "../session/selection.js";
import { type Ended, keepSummary, type Session } from "../session/session.js";
import { keepPlan, printPlan } from "./plan-output.js";
import { planFor } from "./steps.js";

/** Prints the summary of a run, saves it in its report folder, and gives the exit code. */
export async function finish<Given extends RunParts>(
  session: Session,
  given: Given,
  words?: Words,
): Promise<Ended<FactsOf<Given>>>;
export async function finish(session: Session, given: RunParts, words: Words = {}): Promise<Ended<RunFacts>> {
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
  // An extract has its own warning.
  if (there !== undefined && extracted === undefined)
    warnOfNothing(session, there.items + (counts?.leftOut.count ?? 0));
  const done = counts === undefined ? given : asCounted(given, counts);
  const maps = given.loaded === undefined || counts === undefined ? [] : await mapsFor(session, given.loaded, counts);
  const open = given.loaded === undefined || report === undefined ? [] : decisionsOf(session, given.loaded, report);
  const exitCode =
    open.length > 0 && failures.length === 0
      ? EXIT.someFailed
      : exitCodeOf(done, { failures, counts, report, strict: settings.strict });
  for (const failure of failures) output.event("failure", failure);
  const details = { failures, counts: counts ?? NO_COUNTS, report, directory: workspace.directory };
  const before = words.before ?? [];
  const lines = [
    ...before,
    ...describeRun(done, { ...details, again: words.failed ?? retryCommand(workspace.directory, settings) }),
    ...maps,
    ...open.map(describeDecision),
  ];
  const all = [...(extracted === undefined ? [] : describeExtract(extracted)), ...lines];
  await keepSummary(session, all);
  output.close();
  if (extracted !== undefined && there === undefined) printExtract(extracted, output);
  const few = [
    ...before,
    ...describeShort(done, details, exitCode === EXIT.losses),
    ...open.map((decision) => decision.words),
  ];
  for (const line of settings.verbose ? all : few) output.say(line, "prose");
  const reported = withoutPeople(done);
  const kept = counts === undefined ? {} : keptCounts(counts);
  const next = nextStep(openWork(session, done, { failures, leftOut: details.counts.leftOut, open, words, exitCode }));
  const totals = { failures: itemsIn(failures), losses: report?.totals };
  return {
    exitCode,
    summary: { ...reported, ...kept, ...totals, next },
    facts: {
      ...reported,
      ...counts,
      losses: report?.losses,
      failures: itemsIn(failures),
      report: report?.file,
    },
  };
}

interface Open {
  readonly failures: readonly Failure[];
  readonly leftOut: LeftOut;
  readonly open: readonly Decision[];
  readonly words: Words;
  readonly exitCode: ExitCode;
}

function openWork({ call, workspace }: Session, done: RunParts, given: Open): OpenWork {
  const { failures, leftOut, open, words, exitCode } = given;
  const { loaded, verified } = done;
  const { directory } = workspace;
  const root = (loaded ?? verified)?.target.root;
  const target = root ?? workspace.targets()[0]?.root ?? "https://target.example";
  const at = shellQuote([directory, target, ...configFlags(call.settings)]);
  const look = { words: "see what a load into the target would do", command: `guideferry plan ${at}` };
  const addresses = { words: "list the old and the new addresses, for redirects", command: `guideferry map ${at}` };
  return {
    failures: failures.length,
    leftOut,
    again: (words.again?.("") ?? retryCommand(directory, call.settings)).trimEnd(),
    decisions: open,
    differences: verified?.differences ?? 0,
    verify: `guideferry verify ${at}`,
    isFailedByLosses: exitCode === EXIT.losses,
    after: root === undefined ? look : loaded === undefined ? undefined : addresses,
  };
}

interface Words {
  /** The first lines. */
  readonly before?: readonly string[];
  /** The command that tries failures again. Default: `retry`. */
  readonly failed?: string;
  /** See countDone. */
  readonly again?: ((options: string) => string) | undefined;
}

/** For `--json` and the run log: without people, and two keys under their first names. */
function withoutPeople({ loaded, ...done }: RunParts): Omit<RunFacts, "failures"> {
  if (loaded === undefined) return done;
  const { unknown: _, deletedAtSource, recreated, ...rest } = loaded;
  return { ...done, loaded: { ...rest, goneAtSource: deletedAtSource, madeAnew: recreated } };
}

/** Files to fill in, if pages about people were left out. */
async function mapsFor(
  { workspace }: Session,
  { unknown }: LoadSummary,
  { leftOut }: RunCounts,
): Promise<readonly string[]> {
  if (!leftOut.ways.some(({ takenInBy }) => takenInBy?.includes("-map "))) return [];
  return offerPeopleMaps(workspace, { unknown, unused: { users: [], teams: [] } });
}

/** The counts of items have one source, which a load and a comparison show too. */
function asCounted(done: RunParts, { kinds, leftOut }: RunCounts): RunParts {
  const [adopted, failed, refused] = [totalOf(kinds, "linked"), totalOf(kinds, "failed"), leftOut.count];
  return {
    ...done,
    ...(done.loaded === undefined ? {} : { loaded: { ...done.loaded, adopted, refused, failed } }),
    ...(done.verified === undefined ? {} : { verified: { ...done.verified, adopted } }),
  };
}

/** Failures at the source and on this target; those of other targets belong to other runs. */
function concerning(failures: readonly Failure[], root: string | undefined): readonly Failure[] {
  return failures.filter(({ target }) => target === null || root === undefined || target === root);
}

interface PlanOf {
  readonly extracted?: ExtractSummary;
  readonly keys?: ReadonlySet<Key>;
  /** The source of the content; absent: the plan is not saved. */
  readonly place?: Place;
}

/** Prints what a load would do, and gives the exit code. */
export async function finishPlan(
  session: Session,
  connected: ConnectedTarget,
  { extracted, keys, place }: PlanOf = {},
): Promise<Ended<PlanFacts>> {
  const { output, settings } = session.call;
  const plan = await planFor(session, connected, keys);
  output.close();
  if (extracted === undefined)
    warnOfNothing(
      session,
      Object.values(plan.counts).reduce((sum, each) => sum + each, 0),
    );
  for (const line of extracted === undefined ? [] : describeNotIncluded(extracted)) output.say(line, "prose");
  if (place !== undefined) await keepPlan(session, plan, place);
  const exitCode = planExit(plan, extracted, settings);
  const facts = printPlan(plan, output, settings);
  for (const line of describeUnusedPairs(settings, plan.job.preview)) output.say(line, "prose");
  for (const line of await offerPeopleMaps(session.workspace, plan.job.people)) output.say(line, "prose");
  output.say("");
  printStep(stepAfterPlan(session, plan, facts), output);
  return { exitCode, summary: { counts: plan.counts, requests: plan.requests }, facts };
}

/** From the most urgent: what is left out, then carrying the plan out. */
function stepAfterPlan(session: Session, plan: LargePlan, { leftOut }: PlanFacts): NextStep {
  const { again, settings } = session.call;
  const ways = new Set(
    leftOut.flatMap(({ takenInBy }) => (takenInBy === null ? [] : withMapFile(session.workspace, takenInBy, true))),
  );
  const options = [...ways].join(" ");
  if (again !== null && options !== "") return planAgain(`${again} ${options}`);
  if (!hasChanges(plan)) return NOTHING_OPEN;
  if (settings.planFile !== null)
    return { words: "carry the plan out", command: `guideferry apply ${shellQuote([settings.planFile])}` };
  if (again === null) return NOTHING_OPEN;
  if (settings.dryRun) return { words: "carry it out", command: again.replace(/ --dry-run(?:=true)?(?= |$)/, "") };
  return { words: "save the plan, to carry out exactly this", command: `${again} --output friday.plan` };
}

/** A plan is incomplete if the source could not be read completely. */
function planExit(plan: LargePlan, extracted: ExtractSummary | undefined, { detailedExitcode }: Settings): ExitCode {
  if ((extracted?.failures ?? 0) > 0) return EXIT.someFailed;
  return detailedExitcode && hasChanges(plan) ? EXIT.planHasChanges : EXIT.ok;
}

async function lossReport({ call, workspace }: Session, { target }: LoadSummary): Promise<LossReport> {
  const ledger = workspace.ledger(target);
  if (call.settings.json) for await (const issue of ledger.issues()) call.output.event("issue", issue);
  return writeLossReport(workspace, ledger);
}

/** What the table of the end does not say; the summary file and `--verbose` have all. */
function describeShort(
  { extracted, loaded, verified, unverified }: RunParts,
  { failures, counts, report }: Omit<RunDetails, "again">,
  isFailedByLosses: boolean,
): readonly string[] {
  return [
    ...(extracted === undefined || (loaded ?? verified) === undefined ? [] : describeNotIncluded(extracted)),
    ...(loaded === undefined ? [] : describeLoad(loaded)),
    ...(verified === undefined ? [] : describeVerifyShort(verified)),
    ...(unverified === true ? [NOT_VERIFIED] : []),
    ...(report === undefined ? [] : describeLosses(report).slice(0, isFailedByLosses ? undefined : 1)),
    ...describeLeftOutShort(counts),
    ...describeFailuresShort(failures),
  ];
}

const NOT_VERIFIED = "Nothing was verified (--verify none).";

interface RunDetails {
  readonly failures: readonly Failure[];
  readonly counts: RunCounts;
  readonly report: LossReport | undefined;
  readonly directory: string;
  readonly again: string;
}

function describeRun(
  { loaded, verified, unverified }: RunParts,
  { failures, counts, report, directory, again }: RunDetails,
): readonly string[] {
  return [
    ...(loaded === undefined ? [] : describeLoad(loaded)),
    ...(verified === undefined ? [] : describeVerify(verified)),
    ...(unverified === true ? [NOT_VERIFIED] : []),
    ...(report === undefined ? [] : describeLosses(report)),
    ...describeLeftOut(counts, directory),
    ...describeFailures(failures, directory, again),
  ];
}

interface Outcome {
  readonly failures: readonly Failure[];
  /** undefined: the run only read. */
  readonly counts: RunCounts | undefined;
  readonly report: LossReport | undefined;
  readonly strict: boolean;
}

/**
 * In a load, items that failed or are left out count first: they also explain differences. In a
 * comparison, differences count first.
 */
function exitCodeOf({ loaded, verified }: RunParts, { failures, counts, report, strict }: Outcome): ExitCode {
  const different = (verified?.differences ?? 0) > 0;
  if (different && loaded === undefined) return EXIT.differences;
  if (failures.length > 0 || (loaded?.operations.failed ?? 0) > 0) return EXIT.someFailed;
  if ((counts?.leftOut.count ?? 0) > 0) return EXIT.someFailed;
  if (different) return EXIT.differences;
  const lost = report === undefined ? 0 : report.totals.loss + report.totals.error;
  return strict && lost > 0 ? EXIT.losses : EXIT.ok;
}

interface DoneAtTarget {
  readonly extracted: ExtractSummary | undefined;
  readonly failures: readonly Failure[];
  /** undefined: the run only compared. */
  readonly report: LossReport | undefined;
  /** The command that loads left out items, with these options. Default: `retry`. */
  readonly again?: ((options: string) => string) | undefined;
}

/** Counts what a run did on a target, after its last write. */
export async function countDone(session: Session, root: string, done: DoneAtTarget): Promise<RunCounts> {
  const { extracted, failures, report } = done;
  const { directory } = session.workspace;
  const again = done.again ?? ((options) => `${retryCommand(directory, session.call.settings)} ${options}`.trimEnd());
  const selected = await storedSelection(session);
  const workspace = await inspectWorkspace(directory);
  try {
    const started = workspace.runs.run(session.workspace.runs.current() ?? "");
    if (started === undefined) throw new Error("No run was started in this workspace.");
    // The run is finished; these counts decide its exit code.
    const run: Run = { ...started, exitCode: EXIT.ok, summary: extracted === undefined ? null : { extracted } };
    const target = workspace.targets().find((one) => one.root === root);
    const isChosen = (key: Key): boolean => selected === undefined || selected.has(key);
    const sources = { target, run, failures, outcomes: outcomesAt(target, run) };
    const counts = countRun({ ...sources, workspace, losses: lossesIn(report) }, isChosen);
    const archived = (extracted?.archived ?? []).filter((key) => workspace.items.entry(key)?.state !== "present");
    await keepOutcomes(session, [...outcomeRows(sources, isChosen), ...archived.map(archivedRow)]);
    const withFile = (options: string): string => withMapFile(session.workspace, options, report !== undefined);
    return withArchived(withCommands(counts, again, withFile), archived);
  } finally {
    await workspace.close();
  }
}

/** The report of the run lists them one by one; it can't ask again which items were chosen. */
async function keepOutcomes({ workspace }: Session, rows: readonly OutcomeRow[]): Promise<void> {
  await writeOutcomes(workspace.reportFile(OUTCOMES), rows);
}

function lossesIn(report: LossReport | undefined) {
  return Object.entries(report?.losses ?? {}).flatMap(([kind, codes]) =>
    Object.values(codes).map((count) => ({ kind, level: "loss", count }) as const),
  );
}

/** `withFile`: names the file of a map in its option. */
function withCommands(
  counts: RunCounts,
  again: (options: string) => string,
  withFile: (options: string) => string,
): RunCounts {
  const ways = counts.leftOut.ways.map((way) => ({
    ...way,
    command: way.takenInBy === null ? null : again(withFile(way.takenInBy)),
  }));
  const options = [...new Set(ways.flatMap(({ takenInBy }) => (takenInBy === null ? [] : withFile(takenInBy))))];
  const command = options.length === 0 ? null : again(options.join(" ").trim());
  return { ...counts, leftOut: { ...counts.leftOut, ways, command } };
}

/** These chosen items never came into the workspace, so nothing else counts them. */
function withArchived(counts: RunCounts, archived: readonly Key[]): RunCounts {
  if (archived.length === 0) return counts;
  const book = createFailureTally();
  for (const key of archived) book.add({ ...archivedRow(key), target: null });
  const way: LeftOut["ways"][number] = { takenInBy: null, command: null, count: book.count, causes: book.causes() };
  const { leftOut, kinds } = counts;
  const rows = kinds.some(({ kind }) => kind === "guide") ? kinds : [...kinds, NO_GUIDES];
  return {
    ...counts,
    kinds: rows.map((row) => (row.kind === "guide" ? { ...row, leftOut: row.leftOut + archived.length } : row)),
    leftOut: { count: leftOut.count + archived.length, ways: [...leftOut.ways, way], command: leftOut.command },
  };
}

function archivedRow(key: Key): OutcomeRow {
  const reason = "It is archived at the source, and this account cannot read archived guides.";
  const remedy =
    "Sign in to the source with an account that may read archived guides (GUIDEFERRY_SOURCE_TOKEN), and run the same command again. Or leave the guide out with --exclude.";
  return { result: "left-out", key, stage: "extract", reason, remedy, takenInBy: null };
}

const NO_GUIDES: KindRow = { kind: "guide", ...NOTHING_COUNTED, losses: 0 };

/** The counts that the run log keeps, so that `status` shows the same later. */
function keptCounts({ kinds, ...notThere }: RunCounts) {
  return { kinds: Object.fromEntries(kinds.map(({ kind, ...row }) => [kind, row])), notThere };
}

function decisionsOf({ call, workspace }: Session, loaded: LoadSummary, report: LossReport): readonly Decision[] {
  const again = `guideferry load ${shellQuote([workspace.directory, loaded.target.root, ...configFlags(call.settings)])}`;
  const isAsked = call.given.has("onConflict") && call.settings.onConflict === "skip";
  return openDecisions({
    conflicts: isAsked ? 0 : conflictsIn(report),
    privateThere: loaded.privateThere,
    update: `${again} --on-conflict update`,
    publish: `${again} --on-conflict update --on-existing update`,
  });
}

function conflictsIn({ losses }: LossReport): number {
  const codes = Object.values(losses);
  return codes.reduce((sum, each) => sum + (each["conflict-skipped"] ?? 0) + (each["merge-clash"] ?? 0), 0);
}

const SHOWN = 10;

/** Pairs of `--type-map` and `--category-map` without a match in the workspace: often misspelt. */
export function describeUnusedPairs(
  { typeMap, categoryMap }: Pick<Settings, "typeMap" | "categoryMap">,
  { types, categories }: Pick<TransformPreview, "types" | "categories">,
): readonly string[] {
  const there = types.size === 0 ? "none" : named([...types].toSorted());
  return [
    ...lineOf("--type-map", typeMap, types, `no guide in the workspace has this type. The types are: ${there}`),
    ...lineOf("--category-map", categoryMap, categories, "the workspace has no such category"),
  ];
}

function lineOf(
  flag: string,
  pairs: Readonly<Record<string, string>>,
  known: ReadonlySet<string>,
  why: string,
): readonly string[] {
  const unused = Object.keys(pairs).filter((old) => !known.has(old));
  return unused.length === 0 ? [] : [`${flag} has no effect for ${named(unused)}: ${why}.`];
}

function named(words: readonly string[]): string {
  const more = words.length > SHOWN ? [`${words.length - SHOWN} more`] : [];
  return [...words.slice(0, SHOWN).map(quoted), ...more].join(", ");
}

/** The `retry` command, with the private hosts that it may read from. */
function retryCommand(directory: string, settings: Settings): string {
  const { allowPrivateMedia } = settings;
  const hosts = allowPrivateMedia.length === 0 ? [] : ["--allow-private-media", allowPrivateMedia.join(",")];
  return `guideferry retry ${shellQuote([directory, ...hosts, ...configFlags(settings)])}`;
}

/** Warns when the options match no item: otherwise a misspelt glob looks like a finished run. */
function warnOfNothing({ call }: Session, taken: number): void {
  if (taken > 0 || takesEverything(selectionOf(call.settings))) return;
  call.output.warn(
    "No item of the workspace that could be loaded matches --only, --include, --exclude and --since together. Globs match keys " +
      "(guide/12*) or paths of category titles (Looms/**); media are loaded with the items that use them.",
  );
}

function hasChanges({ counts }: Pick<LargePlan, "counts">): boolean {
  return counts.create + counts.change + counts.adopt + counts.delete > 0;
}

type Counts = ExtractSummary["kinds"][keyof ExtractSummary["kinds"]];

const COLUMNS: readonly (readonly [name: string, of: keyof Counts, always: boolean])[] = [
  ["in the workspace", "present", true],
  ["read", "read", true],
  ["unchanged", "unchanged", true],
  ["deleted at the site", "gone", false],
  ["failed", "failed", false],
];

/** Prints an extract, with a table by kind; the columns of deletions and failures only if any. */
export function printExtract(summary: ExtractSummary, output: Output): void {
  const { kinds } = summary;
  for (const line of describeMissing(summary)) output.say(line);
  const there = kindsIn(summary);
  const columns = COLUMNS.filter(([, of, always]) => always || there.some((kind) => kinds[kind][of] > 0));
  output.table(
    ["kind", ...columns.map(([name]) => name)],
    there.map((kind) => [kind, ...columns.map(([, of]) => kinds[kind][of])]),
  );
  for (const line of describeBeside(summary)) output.say(line);
}
