import { conflict, invalidValue, type ServiceError } from "../../../server/service-error.js";
import { type Answer, isAnswer, numberAt, objectAt, textAt } from "../../../state/answer.js";
import type { Site } from "../../../state/site.js";
import type { PackageLook, RunningJob } from "../../../state/training-desk.js";
import { importView } from "./views.js";

/** What a job is at, one after the other. */
const STAGES = ["queued", "unpacking", "parsing"] as const;
const ENDS: readonly unknown[] = ["complete", "error", "cancelled"];

/**
 * Starts the job of an import that was not started yet, and returns its row. The answer to a start never says how the job ends:
 * that shows when one looks (training modules, 1.2).
 */
export function startJob(site: Site, row: Answer, source: Answer, looking: PackageLook | Promise<PackageLook>): Answer {
  mustBeCreated(site, row);
  const importid = Number(row["importid"]);
  const plan = site.training.take(textAt(source, "filename", textAt(source, "url")), titleOf(site, row));
  const pending = looking instanceof Promise;
  site.training.begin(importid, {
    plan,
    start: site.clock(),
    looked: 0,
    look: pending ? undefined : looking,
    looking: Promise.resolve(looking),
  });
  if (pending) void looking.then((look) => arrive(site, importid, look));
  return put(site, row, { status: plan.status ?? "running", stage: STAGES[0], start_date: site.now(), source });
}

/** Throws `wrongState` for an import that was started before, or has ended. */
export function mustBeCreated(site: Site, row: Answer): void {
  if (row["status"] !== "created")
    throw wrongState(site, importView(site, row), `the import is ${String(row["status"])}`);
}

/** A look at the progress of an import: brings its job nearer to its end where looks are counted. */
export async function lookAt(site: Site, row: Answer): Promise<Answer> {
  const importid = Number(row["importid"]);
  const job = site.training.jobs.get(importid);
  if (job === undefined) return row;
  if (isDue(site, job)) {
    await job.looking;
    return settled(site, site.rows.moduleImports.get(importid) ?? row);
  }
  site.training.jobs.set(importid, { ...job, looked: job.looked + 1 });
  return put(site, row, { stage: stageOf(site, job) });
}

/** The row of an import whose job is over by now, else the row as it is. */
export function settled(site: Site, row: Answer): Answer {
  const importid = Number(row["importid"]);
  const job = site.training.jobs.get(importid);
  if (job?.look === undefined || !isDue(site, job)) return row;
  site.training.jobs.delete(importid);
  const { end, message, parserWarnings = [] } = job.plan;
  const isComplete = end === undefined || end === "never" ? job.look.problem === "" : end === "complete";
  const problem = end === undefined || end === "never" ? job.look.problem : "";
  const ended = put(site, row, {
    status: isComplete ? "complete" : "error",
    stage: null,
    message: message ?? problem,
    parserWarnings,
    end_date: site.now(),
    learningStandard: job.look.learningStandard,
    source: { ...objectAt(row, "source"), bytes: job.look.bytes, sha256: job.look.sha256 },
  });
  if (isComplete) joinDraft(site, ended);
  return ended;
}

/** Where looks are counted, only a look ends a job; where time is, every reader of imports sees the ends. */
export function settleByClock(site: Site): void {
  for (const [importid, job] of site.training.jobs) {
    const row = site.rows.moduleImports.get(importid);
    if (row !== undefined && millisecondsOf(site, job) !== null) settled(site, row);
  }
}

/** Ends every job as if its time were over, also those that have no end. Waits for bytes that are still on their way. */
export async function finishJobs(site: Site): Promise<void> {
  for (const [importid, { looking }] of [...site.training.jobs]) {
    await looking;
    const [job, row] = [site.training.jobs.get(importid), site.rows.moduleImports.get(importid)];
    if (job === undefined || row === undefined) continue;
    const { end, milliseconds: _time, ...plan } = job.plan;
    const due = { ...plan, looks: 0, ...(end === "never" || end === undefined ? {} : { end }) };
    site.training.jobs.set(importid, { ...job, plan: due });
    settled(site, row);
  }
}

/** Cancels an import that has not ended. The job can't be stopped, its result is dropped (training modules, 1.3). */
export function cancelJob(site: Site, row: Answer): Answer {
  const now = settledByClock(site, row);
  if (ENDS.includes(now["status"])) throw wrongState(site, importView(site, now), "the import has ended");
  const importid = Number(now["importid"]);
  if (site.training.jobs.get(importid)?.plan.ignoresCancel === true) return now;
  site.training.jobs.delete(importid);
  return put(site, now, { status: "cancelled", stage: null, end_date: site.now() });
}

/** The refusal of what a state does not allow; 409 carries the resource as it is (specification, Errors). */
export function wrongState(site: Site, current: Answer, problem: string): ServiceError {
  const { wrongState: status } = site.settings.training;
  return status === 409 ? conflict(current) : invalidValue("importid", problem);
}

function settledByClock(site: Site, row: Answer): Answer {
  settleByClock(site);
  return site.rows.moduleImports.get(Number(row["importid"])) ?? row;
}

function arrive(site: Site, importid: number, look: PackageLook): void {
  const job = site.training.jobs.get(importid);
  if (job !== undefined) site.training.jobs.set(importid, { ...job, look });
}

function isDue(site: Site, job: RunningJob): boolean {
  if (job.plan.end === "never") return false;
  const milliseconds = millisecondsOf(site, job);
  return milliseconds === null ? job.looked >= looksOf(site, job) : site.clock() - job.start >= milliseconds;
}

/** null: looks are counted. */
function millisecondsOf(site: Site, { plan }: RunningJob): number | null {
  return plan.milliseconds ?? (plan.looks === undefined ? site.settings.training.milliseconds : null);
}

function looksOf(site: Site, { plan }: RunningJob): number {
  return plan.looks ?? site.settings.training.looks;
}

function stageOf(site: Site, job: RunningJob): string | undefined {
  const milliseconds = millisecondsOf(site, job);
  const done =
    milliseconds === null ? job.looked / Math.max(looksOf(site, job), 1) : (site.clock() - job.start) / milliseconds;
  return STAGES[Math.min(Math.floor(done * STAGES.length), STAGES.length - 1)];
}

/** The draft that the import was made for has a package from now on; a draft that was opened since then has not. */
function joinDraft(site: Site, row: Answer): void {
  const module = site.rows.modules.get(numberAt(row, "moduleid") ?? 0);
  const draft = module?.["draft"];
  if (module === undefined || !isAnswer(draft) || draft["version"] !== row["version"]) return;
  const latest = Math.max(numberAt(draft, "importid") ?? 0, Number(row["importid"]));
  site.rows.modules.put({ ...module, draft: { ...draft, importid: latest } });
}

function titleOf(site: Site, row: Answer): string {
  const module = site.rows.modules.get(numberAt(row, "moduleid") ?? 0) ?? {};
  return textAt(objectAt(module, "draft"), "title", textAt(module, "title"));
}

function put(site: Site, row: Answer, fields: Answer): Answer {
  return site.rows.moduleImports.put({ ...row, ...fields });
}
