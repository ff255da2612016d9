import { FerryError, messageOf, StatusError } from "../../core/errors.js";
import type { PackageRow, PackageState } from "../../core/training.js";
import { printable } from "../../core/util/printable-text.js";
import type { CheckedPackage, FoundPackage, NormalisedPackage, PackageResult, PreparedPackage } from "../package.js";
import { unreadablePackage } from "../report/package-tally.js";
import { type Decision, decide } from "./decide.js";
import { draft, findDraft } from "./draft.js";
import type { ImportRun, QueueSlot } from "./import-run.js";
import {
  ARRIVED,
  endsRun,
  ImportTask,
  isRefusal,
  moduleOf,
  refusalReason,
  type Step,
  sentence,
} from "./import-task.js";
import { findRecord, findStart, follow, record, start } from "./start-import.js";

export interface Outcome {
  readonly result: PackageResult;
  /** Why it was not imported or published; null: it was, or it is refused. */
  readonly failure: unknown;
  /** It waits until other packages show whether the site lists drafts; there is no result yet. */
  readonly isPostponed: boolean;
}

export interface QueuedPackage {
  readonly found: FoundPackage;
  readonly prepared: PreparedPackage;
  /** Decisions are made in the order in which packages were found. */
  readonly place: QueueSlot;
  /** No later package can show whether the site lists drafts. */
  readonly isLast: boolean;
}

const IMPORTED: ReadonlySet<PackageState> = new Set(["complete", "published"]);
const STOPPED = "The run was stopped before the import was complete. Run the same command again to continue it.";

/** Imports one package. Throws only errors that end the run. */
export async function importOne(run: ImportRun, queued: QueuedPackage): Promise<Outcome> {
  const { checked } = queued.prepared;
  try {
    const decision = await decideAndNote(run, queued);
    const { row } = decision;
    const { normalised } = queued.prepared;
    if (row === null || normalised === null) return finishedOutcome(resultOf(checked, decision));
    if (decision.action === "unchanged" && IMPORTED.has(row.state)) return finishedOutcome(resultOf(checked, decision));
    const go = (): Promise<Outcome> => goOn(run, queued, decision, { row, normalised });
    return row.moduleId === null ? await go() : await run.mutex.run(`module ${row.moduleId}`, go);
  } catch (error) {
    if (run.job.control.abort.aborted || endsRun(error)) throw error;
    const digest = queued.prepared.normalised?.digest ?? null;
    const decision: Decision = { action: "go-on", row: null, isNew: false, reason: reasonOf(error), notes: [] };
    return { result: { ...resultOf(checked, decision), digest }, failure: error, isPostponed: false };
  }
}

/** One at a time, so that a decision sees the modules of earlier ones. */
function decideAndNote(run: ImportRun, { found, prepared, place }: QueuedPackage): Promise<Decision> {
  return place.enter(async () => {
    const decision = await decide(run, found, prepared);
    if (decision.row === null || !decision.isNew) return decision;
    return { ...decision, row: await run.put(decision.row, {}) };
  });
}

interface Start {
  readonly row: PackageRow;
  readonly normalised: NormalisedPackage;
}

async function goOn(
  run: ImportRun,
  queued: QueuedPackage,
  decision: Decision,
  { row, normalised }: Start,
): Promise<Outcome> {
  const { found, isLast } = queued;
  const from = await resumeRow(run, row);
  const task = new ImportTask(run, { found, normalised, isLast, wasUnknown: row.state === "unknown", row: from });
  try {
    return await ended(task, queued, decision, await runSteps(task, from));
  } catch (error) {
    if (task.signal.aborted || endsRun(error)) throw error;
    const reason = run.isStopping ? STOPPED : reasonOf(error);
    const result = resultOf(queued.prepared.checked, { ...decision, row: task.row, reason }, task.notes);
    return { result, failure: error, isPostponed: false };
  } finally {
    await task.removeArchive();
  }
}

async function ended(
  task: ImportTask,
  { prepared }: QueuedPackage,
  decision: Decision,
  row: PackageRow,
): Promise<Outcome> {
  const { isStopping } = task.run;
  const reason = row.reason !== "" || IMPORTED.has(row.state) || !isStopping ? row.reason : STOPPED;
  const notes = IMPORTED.has(row.state) && !isStopping ? await siteNotes(task, row) : [];
  const result = resultOf(prepared.checked, { ...decision, row, reason }, [...task.notes, ...notes]);
  return { result, failure: reason === "" ? null : new FerryError(reason), isPostponed: task.isPostponed };
}

function finishedOutcome(result: PackageResult): Outcome {
  return { result, failure: null, isPostponed: false };
}

/** The result of a plan, or of a package without anything to do. */
export function resultOf(
  checked: CheckedPackage,
  { action, row, reason, notes }: Decision,
  more: readonly string[] = [],
): PackageResult {
  return {
    checked,
    digest: row?.digest ?? null,
    action,
    state: row?.state ?? null,
    moduleId: row?.moduleId ?? null,
    importId: row?.importId ?? null,
    reason,
    notes: [...notes, ...more],
  };
}

export function unprepared({ source }: FoundPackage, error: unknown): PackageResult {
  const reason = reasonOf(error);
  const checked = unreadablePackage(source, reason);
  return resultOf(checked, { action: "refused", row: null, isNew: false, reason, notes: [] });
}

function reasonOf(error: unknown): string {
  return sentence(messageOf(error));
}

type Resume = (run: ImportRun, row: PackageRow) => Promise<PackageRow>;

const RESUMES: Readonly<Partial<Record<PackageState, Resume>>> = {
  failed: async (run, row) => run.put(row, restarted(run, row)),
  cancelled: async (run, row) => run.put(row, restarted(run, row)),
  unknown: resumeUnknown,
};

async function resumeRow(run: ImportRun, row: PackageRow): Promise<PackageRow> {
  return (await RESUMES[row.state]?.(run, row)) ?? row;
}

/** Another import of the same module, in a new draft where the module is published. */
function restarted({ list }: ImportRun, { isNewVersion, moduleId }: PackageRow): Partial<PackageRow> {
  const isPublished = moduleId !== null && (list.get(moduleId)?.currentImport ?? null) !== null;
  const state = isNewVersion || isPublished ? "checked" : "drafted";
  return { state, importId: null, before: [], reason: "", warnings: [], started: 0 };
}

/** Asks the site about a known import; others need `retryUnknown`, since they may be sent twice. */
async function resumeUnknown(run: ImportRun, row: PackageRow): Promise<PackageRow> {
  if (row.importId !== null) return run.put(row, { state: "starting", reason: "" });
  if (!run.options.retryUnknown) return row;
  if (row.moduleId !== null) return run.put(row, restarted(run, row));
  const listsDrafts = await run.job.journal.listsDrafts();
  return run.put(row, { state: listsDrafts === true ? "drafting" : "checked", reason: "" });
}

const FEW = 5;

async function siteNotes(task: ImportTask, row: PackageRow): Promise<readonly string[]> {
  const shown = row.warnings.slice(0, FEW).map((warning) => `The site warns: ${warning}`);
  const more = row.warnings.length > FEW ? [`The site reports ${row.warnings.length - FEW} more warnings.`] : [];
  return [...shown, ...more, ...(await previewNote(task, row))];
}

/** Without the address, which gives access for a while. cmi5 has none (training modules, 1.2). */
async function previewNote(task: ImportTask, { importId, moduleId, module }: PackageRow): Promise<readonly string[]> {
  if (!task.run.options.preview || module.standard === "cmi5" || importId === null) return [];
  try {
    const address = await task.site.preview(importId, task.signal);
    return [address === null ? NO_PREVIEW : `The site has a preview of module ${moduleId ?? ""}.`];
  } catch (error) {
    if (task.signal.aborted || !(error instanceof FerryError) || endsRun(error)) throw error;
    return [NO_PREVIEW];
  }
}

const NO_PREVIEW = "The site has no preview of the module.";

/** `complete`: publishes the module, if requested, after reading where it is used. */
async function publish(task: ImportTask, row: PackageRow): Promise<PackageRow> {
  if (!task.run.options.publish) return row;
  const newer = await newerVersion(task, row);
  if (newer !== undefined) {
    task.notes.push(`Not published: module ${moduleOf(row)} has a newer version from ${newer.source}.`);
    return row;
  }
  const isRead = await readUsage(task, row);
  if (isRead instanceof StatusError) {
    const reason = `Imported, but not published, since guideferry cannot read where the module is used. ${refusalReason("the request for it", isRead)}`;
    return task.end(await task.put(row, { reason }));
  }
  return publishAgain(task, await task.put(row, { state: "publishing", reason: "" }));
}

/** `publishing`: calls again, since that is safe; without `publish` it only reads the state. */
async function publishAgain(task: ImportTask, row: PackageRow): Promise<PackageRow> {
  if (!task.run.options.publish || (await newerVersion(task, row)) !== undefined) {
    const isPublished = task.run.list.get(moduleOf(row))?.currentImport === row.importId;
    return task.put(row, { state: isPublished ? "published" : "complete" });
  }
  try {
    await task.site.publish(moduleOf(row), task.signal);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // An earlier call without an answer has published it: some sites then refuse a second one.
    if (await isCurrent(task, row)) return task.put(row, { state: "published" });
    const reason = `Imported, but not published. ${refusalReason("the publication", error)}`;
    return task.end(await task.put(row, { state: "complete", reason }));
  }
  return task.put(row, { state: "published" });
}

async function isCurrent(task: ImportTask, { moduleId, importId }: PackageRow): Promise<boolean> {
  const modules = await task.site.modules(task.signal);
  return modules.some((module) => module.id === moduleId && module.currentImport === importId);
}

/** A newer import of the same module, which publishing would show. */
async function newerVersion(task: ImportTask, row: PackageRow): Promise<PackageRow | undefined> {
  const others = await task.run.job.journal.ofModule(moduleOf(row));
  return others.find(
    ({ digest, state, started }) => digest !== row.digest && started > row.started && ARRIVED.has(state),
  );
}

/** Notes where the module is used, or returns the refusal. */
async function readUsage(task: ImportTask, row: PackageRow): Promise<StatusError | undefined> {
  try {
    const places = await task.site.usage(moduleOf(row), task.signal);
    if (places.length > 0) task.notes.push(usedIn(moduleOf(row), places));
    return undefined;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return error;
  }
}

function usedIn(module: string, places: readonly string[]): string {
  const shown = places.slice(0, FEW).map((place) => printable(place));
  const more = places.length > FEW ? ` and ${places.length - FEW} more` : "";
  return `Module ${module} is used in: ${shown.join("; ")}${more}.`;
}

const keepRow: Step = async (_task, row) => row;

const STEPS: Readonly<Record<PackageState, Step>> = {
  checked: draft,
  drafting: findDraft,
  drafted: record,
  recording: findRecord,
  recorded: start,
  starting: findStart,
  started: follow,
  complete: publish,
  publishing: publishAgain,
  published: keepRow,
  failed: keepRow,
  cancelled: keepRow,
  unknown: keepRow,
};

/** An import may run on the site, so a run that stops cancels it. */
const UNDER_WAY: ReadonlySet<PackageState> = new Set(["starting", "started"]);

async function runSteps(task: ImportTask, from: PackageRow): Promise<PackageRow> {
  for (let row = from; ; ) {
    task.signal.throwIfAborted();
    if (task.run.isStopping && !UNDER_WAY.has(row.state)) return row;
    const next = await STEPS[row.state](task, row);
    if (next === row || task.isOver) return next;
    row = next;
  }
}
