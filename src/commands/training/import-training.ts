import { rm } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { EXIT, type ExitCode, UsageError } from "../../core/errors.js";
import type { SiteIdentity } from "../../core/model/identity.js";
import type { ModuleSite } from "../../core/training.js";
import { layoutOf } from "../../storage/workspace/layout.js";
import { CircuitBreaker } from "../../sync/control.js";
import { importPackages, planPackages, refuseDuplicateModules } from "../../training/import/import-packages.js";
import type { ImportJob, ImportOptions, ImportSummary } from "../../training/import/import-run.js";
import { preparePackage } from "../../training/package/normalise-package.js";
import {
  ACTIONS,
  type Action,
  type FoundPackage,
  type PackageResult,
  type PreparedPackage,
} from "../../training/package.js";
import { plain } from "../../training/plain-text.js";
import { openPackageReport, type PackageReport } from "../../training/report/package-report.js";
import { number } from "../../training/report/package-tally.js";
import { reportLine, wordsOf } from "../../training/report/report-line.js";
import { createPauseTimes } from "../../web/report/course.js";
import { createFailureTally, type FailureTally } from "../../web/report/failures.js";
import type { Causes, KindRow, NextStep } from "../../web/report/run-report.js";
import type { CommandCall } from "../command.js";
import { explainError } from "../exit-codes.js";
import { readSite } from "../location.js";
import type { Settings } from "../options/table.js";
import { NOTHING_OPEN } from "../output/ending.js";
import type { ImportFacts, ImportResult } from "../results.js";
import { type Ended, keepSummary, type Session, withWorkspace } from "../session/session.js";
import { siteOf, talkOf } from "../session/sites.js";
import { type Found, findPackages, type PackageFiles, packageOptions, whereReport, withFetched } from "./packages.js";

export async function runImportTraining(call: CommandCall): Promise<ImportResult> {
  const { settings } = call;
  const places = call.arguments.slice(0, -1);
  if (places.length === 0)
    throw new UsageError("Name the packages first, and the site last: guideferry import-training PACKAGE... SITE");
  const root = readSite(call.arguments.at(-1) ?? "", settings.insecureHttp);
  const found = await findPackages(call, places);
  const plan = {
    command: "import-training",
    directory: settings.workspace,
    create: true,
    sites: { target: root },
  } as const;
  return withWorkspace(call, plan, (session) =>
    withFetched(session.call, (files) => importInto(session, root, found, files)),
  );
}

async function importInto(
  session: Session,
  root: string,
  found: Found,
  files: PackageFiles,
): Promise<Ended<ImportFacts>> {
  const { call } = session;
  const { connectModules } = await import("../compose-tools.js");
  const { modules, redact, close } = connectModules(siteOf(call, "target", root), talkOf(session, "target"));
  call.hide(redact);
  try {
    const site = await modules.survey(call.abort);
    const record = createImportRecord(found.packages.length);
    session.keepIfStopped(record.facts);
    return await withReport(session, async (report) => {
      const job = jobOf(session, { modules, site, files, report, record }, found.packages.length);
      if (!call.settings.allowDuplicates) await refuseDuplicateModules(job, found.packages);
      const work = call.settings.dryRun ? planPackages : importPackages;
      const summary: ImportSummary = await work(job, streamOf(found.packages));
      const ended = await finishImport(session, { summary, report, site, isPartial: found.isPartial });
      return { ...ended, summary: { ...summary, ...record.facts() } };
    });
  } finally {
    await close();
    await rm(scratchOf(session), { recursive: true, force: true });
  }
}

/** The report of an interrupted run has the results so far. */
async function withReport(
  session: Session,
  work: (report: PackageReport) => Promise<Ended<ImportFacts>>,
): Promise<Ended<ImportFacts>> {
  const report = await openPackageReport(reportPlace(session), "import");
  try {
    return await work(report);
  } catch (error) {
    await report.close().catch((second: unknown) => session.call.output.warn(explainError(second, false).text));
    throw error;
  }
}

async function* streamOf(packages: readonly FoundPackage[]): AsyncGenerator<FoundPackage> {
  yield* packages;
}

function reportPlace({ workspace }: Session) {
  return {
    lines: workspace.reportFile("packages.ndjson"),
    csv: workspace.reportFile("packages.csv"),
    html: workspace.reportFile("packages.html"),
  };
}

interface Parts {
  readonly modules: ModuleSite;
  readonly site: SiteIdentity;
  readonly files: PackageFiles;
  readonly report: PackageReport;
  readonly record: ImportRecord;
}

function jobOf(session: Session, { modules, site, files, report, record }: Parts, total: number): ImportJob {
  const { call, workspace } = session;
  const { settings, output, stop, abort, pause } = call;
  const pauses = pause === undefined ? undefined : createPauseTimes(pause);
  return {
    site: modules,
    journal: workspace.modules(site),
    placeOf: ({ path, source }) => (path === null ? source : relative(workspace.directory, resolve(path))),
    prepare: (found, signal) => prepare(call, files, found, signal),
    scratch: scratchOf(session),
    pausedTime: () => pauses?.within(0, Date.now()) ?? 0,
    options: optionsOf(settings),
    control: {
      stop,
      abort,
      concurrency: settings.importConcurrency,
      progress: ({ done, failed }) => output.progress({ stage: "import", done, total, failed }),
      breaker: new CircuitBreaker(settings.maxFailures),
    },
    tell: async (result) => {
      record.add(result);
      await report.add(result);
      printResult(result, call);
    },
  };
}

function scratchOf({ workspace }: Session): string {
  return join(layoutOf(workspace.directory).temporary, "packages");
}

async function prepare(
  call: CommandCall,
  files: PackageFiles,
  found: FoundPackage,
  signal: AbortSignal,
): Promise<PreparedPackage> {
  const { path, remove } = await files.local(found, signal);
  try {
    const prepared = await preparePackage(path, { ...packageOptions(call), source: found.source, signal });
    return {
      ...prepared,
      close: async () => {
        await prepared.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

function optionsOf(settings: Settings): ImportOptions {
  const { publishModules, retryUnknown, matchModules, startByUrl, importDeadline } = settings;
  return {
    publish: publishModules,
    retryUnknown,
    match: matchModules,
    startByUrl,
    ...(importDeadline === null ? {} : { deadline: { base: importDeadline * 1000, perByte: 0 } }),
  };
}

/** Packages without a finding are printed only with --verbose, so that the others are seen. */
function printResult(result: PackageResult, { output, settings }: CommandCall): void {
  const isQuiet = result.checked.verdict === "accept" && result.reason === "" && result.notes.length === 0;
  if (settings.dryRun || settings.verbose || !isQuiet) for (const line of wordsOf(result)) output.say(line, "prose");
  output.event("package", reportLine(result));
}

interface ImportDone {
  readonly summary: ImportSummary;
  readonly report: PackageReport;
  readonly site: SiteIdentity;
  /** A skipped file may be a package. */
  readonly isPartial: boolean;
}

async function finishImport(session: Session, done: ImportDone): Promise<Ended<ImportFacts>> {
  const { output, settings } = session.call;
  const { summary, report, site } = done;
  await report.close();
  const exitCode = exitCodeOf(done, settings.dryRun);
  const lines = [...describe(done, settings), whereReport(report)];
  await keepSummary(session, lines);
  output.close();
  const { head, rows } = report.tally.table();
  if (rows.length > 0) output.table(head, rows);
  for (const line of lines) output.say(line, "prose");
  const facts = { site: site.root, dryRun: settings.dryRun, ...summary, ...report.tally.verdicts };
  return { exitCode, summary: { ...summary, next: stepAfter(done, exitCode, session.call) }, facts };
}

function stepAfter({ summary }: ImportDone, exitCode: ExitCode, { again, settings }: CommandCall): NextStep {
  if (exitCode !== EXIT.ok)
    return { words: "correct the packages that are named above, then import again", command: again };
  const drafts = summary.imported > 0 && !settings.publishModules && again !== null;
  return drafts ? { words: "show the imported drafts to learners", command: `${again} --publish` } : NOTHING_OPEN;
}

function exitCodeOf({ summary, isPartial }: ImportDone, isPlan: boolean): ExitCode {
  const { failed, unknown, actions } = summary;
  if (actions.refused > 0 || isPartial) return EXIT.someFailed;
  return !isPlan && failed + unknown > 0 ? EXIT.someFailed : EXIT.ok;
}

/** After a number: singular and plural. */
const ACTION_WORDS: Readonly<Record<Action, readonly [one: string, many: string]>> = {
  "new-module": ["new module", "new modules"],
  "new-version": ["new version of a module", "new versions of modules"],
  "go-on": ["continued", "continued"],
  publish: ["imported before, to publish", "imported before, to publish"],
  unchanged: ["unchanged", "unchanged"],
  "same-as": ["duplicate of another package", "duplicates of other packages"],
  refused: ["left out", "left out"],
};

function describe(
  { summary, report, site }: ImportDone,
  { dryRun, publishModules }: { readonly dryRun: boolean; readonly publishModules: boolean },
): readonly string[] {
  const { actions, imported, published, failed, unknown } = summary;
  const counts = ACTIONS.filter((action) => actions[action] > 0).map(
    (action) => `${number(actions[action])} ${ACTION_WORDS[action][actions[action] === 1 ? 0 : 1]}`,
  );
  const all = `${report.tally.words()}.`;
  const what = counts.length === 0 ? [] : [`${dryRun ? "Plan" : "Actions"}: ${counts.join(", ")}.`];
  if (dryRun) return [all, ...what, `Nothing was written to ${site.name} (${site.root}).`];
  const drafts =
    publishModules || imported === 0 ? "" : " Imported modules are drafts. With --publish, learners see them.";
  return [
    all,
    ...what,
    `Imported ${number(imported)} into ${site.name} (${site.root}), published ${number(published)}.${drafts}`,
    ...(failed === 0
      ? []
      : [`${number(failed)} failed: the report has the reasons. Run the same command again to try again.`]),
    ...(unknown === 0 ? [] : [`${number(unknown)} have an unknown result: the report says what to check.`]),
  ];
}

/** The results of an import for the run log and its report: packages are not items. */
interface ImportRecord {
  add(result: PackageResult): void;
  facts(): { readonly kinds: Readonly<Record<string, Outcomes>>; readonly notDone: Causes; readonly wentWrong: Causes };
}

type Outcome = "created" | "updated" | "unchanged" | "notSent" | "failed" | "waiting";
type Outcomes = Readonly<Partial<Pick<KindRow, Outcome>>>;

/** The result of a package without a failure. */
const COLUMN_OF_ACTION = {
  "new-module": "created",
  "new-version": "updated",
  "go-on": "updated",
  publish: "updated",
  unchanged: "unchanged",
  "same-as": "unchanged",
  refused: "notSent",
} as const satisfies Readonly<Record<Action, Outcome>>;

const WORKS: ReadonlySet<Outcome> = new Set(["created", "updated"]);

function createImportRecord(total: number): ImportRecord {
  const [notDone, wentWrong] = [createFailureTally(), createFailureTally()];
  const counts = new Map<Outcome, number>();
  let seen = 0;
  return {
    add: (result) => {
      const outcome = outcomeOf(result);
      seen += 1;
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      if (outcome === "failed") note(wentWrong, result);
      if (outcome === "notSent") note(notDone, result);
    },
    facts: () => ({
      kinds: { package: { ...Object.fromEntries(counts), waiting: Math.max(0, total - seen) } },
      notDone: { count: notDone.count, causes: notDone.causes() },
      wentWrong: { count: wentWrong.count, causes: wentWrong.causes() },
    }),
  };
}

/** A package with a reason was not imported, or its result is unknown. */
function outcomeOf({ action, reason }: PackageResult): Outcome {
  const outcome = COLUMN_OF_ACTION[action];
  return WORKS.has(outcome) && reason !== "" ? "failed" : outcome;
}

function note(book: FailureTally, { checked, reason }: PackageResult): void {
  book.add({ stage: "import", key: plain(checked.file), target: null, reason, remedy: "" });
}
