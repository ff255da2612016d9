import { ConnectionError, FerryError, StatusError } from "../../core/errors.js";
import type { PackageRow, SiteImport } from "../../core/training.js";
import type { ImportRun } from "./import-run.js";
import {
  type Attempt,
  attempt,
  endOf,
  endsRun,
  type ImportTask,
  importOf,
  moduleOf,
  refusalReason,
} from "./import-task.js";

/** `drafted`: creates the record of the import, which gets the bytes. */
export async function record(task: ImportTask, row: PackageRow): Promise<PackageRow> {
  task.throwIfLostTooOften("record");
  return making(task, row, async () => {
    const before = task.hasFreshModule ? [] : await importIds(task, moduleOf(row));
    task.hasFreshModule = false;
    const recording = await task.put(row, { state: "recording", before });
    return createImport(task, row, recording);
  });
}

/** `recording`: it is unknown whether the call arrived. */
export async function findRecord(task: ImportTask, row: PackageRow): Promise<PackageRow> {
  return making(task, row, () => lookForRecord(task, row));
}

/** A deleted module ends the package; the next run decides on its module again. */
async function making(task: ImportTask, row: PackageRow, work: () => Promise<PackageRow>): Promise<PackageRow> {
  try {
    return await task.run.making(work);
  } catch (error) {
    if (!(error instanceof StatusError) || error.status !== 404) throw error;
    const reason = refusalReason(`an import into module ${moduleOf(row)}`, error);
    return task.put(row, { state: "failed", moduleId: null, isNewVersion: false, before: [], reason });
  }
}

async function createImport(task: ImportTask, drafted: PackageRow, row: PackageRow): Promise<PackageRow> {
  const module = moduleOf(row);
  const outcome = await attempt(task, "record", drafted, () => task.site.createImport(module, task.signal));
  if (outcome.kind === "lost") return lookForRecord(task, row);
  if (outcome.kind === "done") return task.put(row, { state: "recorded", importId: outcome.value, before: [] });
  if (outcome.error.status === 404) throw outcome.error;
  const remedy = "Check that the module still exists and has an open draft, and run the same command again.";
  const reason = refusalReason(`an import into module ${module}`, outcome.error, remedy);
  return task.put(row, { state: "failed", before: [], reason });
}

/**
 * Searches for a new record of the module that no other package has. If none appears, another one
 * is created: a record without bytes is not an import.
 */
async function lookForRecord(task: ImportTask, row: PackageRow): Promise<PackageRow> {
  const until = task.graceEnd(row);
  for (const pause of task.run.pauses()) {
    const found = await newRecords(task, row);
    const [only, ...more] = found;
    if (only !== undefined && more.length === 0) {
      return task.put(row, { state: "recorded", importId: only, before: [] });
    }
    if (only !== undefined) return task.put(row, { state: "unknown", reason: severalRecords(row, found) });
    const left = until - task.run.clock.now();
    if (left <= 0) return task.put(row, { state: "drafted", before: [] });
    if (task.run.isStopping) break;
    await task.run.pause(Math.min(pause, left));
  }
  return row;
}

async function newRecords(task: ImportTask, row: PackageRow): Promise<readonly string[]> {
  const module = moduleOf(row);
  const others = (await task.run.job.journal.ofModule(module)).map(({ importId }) => importId);
  const known = new Set<string | null>([...row.before, ...others]);
  return (await importIds(task, module)).filter((id) => !known.has(id));
}

async function importIds(task: ImportTask, module: string): Promise<readonly string[]> {
  return (await task.site.imports(module, task.signal)).map(({ id }) => id);
}

function severalRecords(row: PackageRow, ids: readonly string[]): string {
  return (
    `guideferry sent the request to create an import of module ${moduleOf(row)} and got no usable answer. Since then, the module has several new imports: ${ids.join(", ")}. ` +
    "Nothing more was sent. Look at the imports of the module on the site. If none of them is this package, run the same command again with --retry-unknown."
  );
}

/** Refusals of a start that can mean that the import runs already. */
const PERHAPS_STARTED: ReadonlySet<number> = new Set([409]);
/** The same for a second start. */
const PERHAPS_STARTED_BEFORE: ReadonlySet<number> = new Set([400, 409, 422]);

/** `recorded`: sends the bytes, or the address of a package that the site can fetch. */
export async function start(task: ImportTask, row: PackageRow): Promise<PackageRow> {
  task.throwIfLostTooOften("start");
  const call = await startCall(task, row);
  const starting = await task.put(row, { state: "starting", started: task.run.clock.now() });
  const outcome = await startOnce(task, row, call);
  if (outcome.kind === "done") return task.put(starting, { state: "started" });
  if (outcome.kind === "lost") return findStart(task, starting);
  // An earlier start, perhaps with a lost answer, can cause the refusal.
  const isSecond = row.started > 0;
  if (!(isSecond ? PERHAPS_STARTED_BEFORE : PERHAPS_STARTED).has(outcome.error.status)) {
    return refuse(task, starting, outcome.error);
  }
  const reported = await task.site.progress(importOf(row), task.signal);
  if (reported?.phase === "created") return refuse(task, starting, outcome.error);
  return task.put(starting, { state: "started" });
}

/** `starting`: it is unknown whether it runs. A record that stays unstarted is started again. */
export async function findStart(task: ImportTask, row: PackageRow): Promise<PackageRow> {
  const until = task.startGraceEnd(row);
  for (const pause of task.run.pauses()) {
    const reported = await task.site.progress(importOf(row), task.signal);
    if (reported !== undefined && reported.phase !== "created") return task.put(row, { state: "started" });
    if (task.run.isStopping) return giveUp(task, row, "stop");
    const left = until - task.run.clock.now();
    if (left <= 0) return reported === undefined ? unknownImport(task, row) : task.put(row, { state: "recorded" });
    await task.run.pause(Math.min(pause, left));
  }
  return row;
}

/** Writes the archive before the row changes to `starting`. */
async function startCall(task: ImportTask, row: PackageRow): Promise<() => Promise<void>> {
  const { found, normalised, run, site } = task;
  const { url } = found;
  if (run.options.startByUrl && url !== null && normalised.isAsGiven) {
    return () => site.startByUrl(importOf(row), url, run.ending);
  }
  const upload = await task.archive();
  return () => site.startByUpload(importOf(row), upload, run.ending);
}

/** A start that a stop interrupts counts as a lost answer, and is cancelled on the site. */
function startOnce(task: ImportTask, row: PackageRow, call: () => Promise<void>): Promise<Attempt<void>> {
  return attempt(task, "start", row, async () => {
    try {
      await call();
    } catch (error) {
      if (!task.run.isStopping || task.signal.aborted || error instanceof StatusError) throw error;
      throw new ConnectionError("The start of the import was interrupted, since the run was stopped.", {
        cause: error,
      });
    }
  });
}

async function refuse(task: ImportTask, row: PackageRow, error: StatusError): Promise<PackageRow> {
  return task.put(row, { state: "failed", reason: packageRefusal(error) });
}

/** Consecutive answers without the import before it counts as missing. */
const MISSING_IN_A_ROW = 3;

/** `started`: polls until the import ends, reaches its deadline, or the run is stopped. */
export async function follow(task: ImportTask, row: PackageRow): Promise<PackageRow> {
  const { base, perByte } = task.run.options.deadline;
  const { clock } = task.run;
  // From now on, so that a continued import gets the full time.
  const begun = clock.now() - task.run.pausedTime();
  // Without the time in which a person paused the run.
  const latest = (): number => begun + task.run.pausedTime() + base + perByte * task.normalised.contentBytes;
  let missing = 0;
  for (const pause of task.run.pauses()) {
    const reported = await task.site.progress(importOf(row), task.signal);
    const end = reported === undefined ? undefined : endOf(reported);
    if (end !== undefined) return task.put(row, end);
    missing = reported === undefined ? missing + 1 : 0;
    if (missing >= MISSING_IN_A_ROW) return unknownImport(task, row);
    const cause = causeToEnd(task, latest());
    if (cause !== null) return giveUp(task, row, cause);
    await task.run.pause(Math.min(pause, latest() - clock.now()));
  }
  return row;
}

function causeToEnd(task: ImportTask, latest: number): Cause | null {
  if (task.run.isStopping) return "stop";
  return task.run.clock.now() >= latest ? "deadline" : null;
}

type Cause = "stop" | "deadline";

const CANCELLED: Readonly<Record<Cause, string>> = {
  stop: "guideferry cancelled the import on the site, since the run was stopped. Run the same command again to import the package.",
  deadline:
    "The import took longer than its time limit, and guideferry cancelled it on the site. Run the same command again, with a longer --deadline if the site is slow.",
};

/** Cancels an import on the site and reads its state, since a cancel can come too late or fail. */
async function giveUp(task: ImportTask, row: PackageRow, cause: Cause): Promise<PackageRow> {
  const reported = await cancelAndAsk(task.run, importOf(row));
  if (reported?.phase === "cancelled") return task.put(row, { state: "cancelled", reason: CANCELLED[cause] });
  const end = reported === undefined ? undefined : endOf(reported);
  if (end !== undefined) return task.put(row, end);
  // It continues on the site, and the next run reads its state.
  return cause === "stop" ? row : task.put(row, { state: "unknown", reason: stillRunning(reported) });
}

/** Ignores a refused cancel, since the state follows. undefined: the site lacks the import. */
export async function cancelAndAsk(run: ImportRun, importId: string): Promise<SiteImport | undefined> {
  const { site, control } = run.job;
  try {
    await site.cancel(importId, control.abort);
  } catch (error) {
    if (control.abort.aborted || !(error instanceof FerryError) || endsRun(error)) throw error;
  }
  return site.progress(importId, control.abort);
}

function stillRunning(reported: SiteImport | undefined): string {
  const state = reported === undefined || reported.state === "" ? "unknown" : `"${reported.state}"`;
  return (
    `The import took longer than its time limit, and the site did not cancel it. Its state is ${state}. ` +
    "Run the same command again later: guideferry checks the state before it sends anything."
  );
}

/** The site has deleted the import, so its result is unknown. */
async function unknownImport(task: ImportTask, row: PackageRow): Promise<PackageRow> {
  if (task.wasUnknown && task.run.options.retryUnknown)
    return task.put(row, { state: "drafted", importId: null, started: 0 });
  const reason =
    `The site no longer has the import ${importOf(row)} of module ${moduleOf(row)}, so its result is unknown. ` +
    "Look at the module on the site. To import the package again, run the same command again with --retry-unknown.";
  return task.put(row, { state: "unknown", reason });
}

/**
 * Remedies for the call that sends the bytes; other calls have these statuses for other reasons.
 */
const PACKAGE_REMEDIES: ReadonlyMap<number, string> = new Map([
  [
    413,
    "The package is too large for the site. Make it smaller (for example its videos), or ask for a higher limit, and run the same command again.",
  ],
  [422, "Correct the package in the authoring tool as the message of the site says, and run the same command again."],
]);

function packageRefusal(error: StatusError): string {
  return refusalReason("the package", error, PACKAGE_REMEDIES.get(error.status));
}
