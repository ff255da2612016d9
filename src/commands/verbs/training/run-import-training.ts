import { rm } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { type ExitCode, UsageError } from "../../../core/errors.js";
import type { SiteIdentity } from "../../../core/model/site.js";
import { FailureBrake } from "../../../sync/failure-brake.js";
import { importPackages } from "../../../training/import/import-packages.js";
import type { ImportJob, ImportOptions, ImportSummary } from "../../../training/import/job.js";
import { refuseNamesakeModules } from "../../../training/import/namesakes.js";
import { planPackages } from "../../../training/import/plan-packages.js";
import { preparePackage } from "../../../training/package/prepare-package.js";
import type { FoundPackage, PreparedPackage } from "../../../training/package.js";
import { openPackageReport, type PackageReport } from "../../../training/report/open-package-report.js";
import { reportLine } from "../../../training/report/report-line.js";
import { wordsOf } from "../../../training/report/words-of.js";
import type { PackageResult } from "../../../training/result.js";
import { createPauseTimes } from "../../../web/report/live/pause-times.js";
import type { ModuleSite } from "../../../core/training.js";
import { layoutOf } from "../../../storage/workspace/layout.js";
import type { CommandCall } from "../../command.js";
import { readSite } from "../../location.js";
import type { Settings } from "../../options/table.js";
import { explainError } from "../../output/explain-error.js";
import { type Ended, type Session, withWorkspace } from "../session.js";
import { siteOf, talkOf } from "../sites.js";
import { type Found, findPackages } from "./find-packages.js";
import { finishImport } from "./finish-import.js";
import { createImportRecord, type ImportRecord } from "./import-record.js";
import { packageOptions } from "./package-options.js";
import { type PackageFiles, withFetched } from "./with-fetched.js";

/** Imports packages into a site, or says what would be done. */
export async function runImportTraining(call: CommandCall): Promise<ExitCode> {
  const { settings } = call;
  const places = call.arguments.slice(0, -1);
  if (places.length === 0)
    throw new UsageError("Name the packages and, behind them, the site: guideferry import-training PACKAGE... SITE");
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

async function importInto(session: Session, root: string, found: Found, files: PackageFiles): Promise<Ended> {
  const { call } = session;
  const { connectModules } = await import("../../compose-tools.js");
  const { modules, redact, close } = connectModules(siteOf(call, "target", root), talkOf(session, "target"));
  call.hide(redact);
  try {
    const site = await modules.survey(call.abort);
    const record = createImportRecord(found.packages.length);
    session.keepIfStopped(record.facts);
    return await withReport(session, async (report) => {
      const job = jobOf(session, { modules, site, files, report, record }, found.packages.length);
      if (!call.settings.allowDuplicates) await refuseNamesakeModules(job, found.packages);
      const work = call.settings.dryRun ? planPackages : importPackages;
      const summary: ImportSummary = await work(job, streamOf(found.packages));
      const { exitCode } = await finishImport(session, { summary, report, site, isPartial: found.isPartial });
      return { exitCode, summary: { ...summary, ...record.facts() } };
    });
  } finally {
    await close();
    await rm(scratchOf(session), { recursive: true, force: true });
  }
}

/** What was told until a run broke off is in its report too. */
async function withReport(session: Session, work: (report: PackageReport) => Promise<Ended>): Promise<Ended> {
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
    stood: () => pauses?.within(0, Date.now()) ?? 0,
    options: optionsOf(settings),
    control: {
      stop,
      abort,
      concurrency: settings.importConcurrency,
      progress: ({ done, failed }) => output.progress({ stage: "import", done, total, failed }),
      brake: new FailureBrake(settings.maxFailures),
    },
    tell: async (result) => {
      record.add(result);
      await report.add(result);
      tell(result, call);
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

/** What went well without a word is a line only with --verbose: of 400 packages those are seen that need somebody. */
function tell(result: PackageResult, { output, settings }: CommandCall): void {
  const isQuiet = result.checked.verdict === "accept" && result.reason === "" && result.notes.length === 0;
  if (settings.dryRun || settings.verbose || !isQuiet) for (const line of wordsOf(result)) output.say(line);
  output.event("package", reportLine(result));
}
