import { FerryError, UsageError } from "../../core/errors.js";
import type { PackageRow } from "../../core/training.js";
import { parallel } from "../../core/util/concurrency.js";
import { throwIfStopped } from "../../sync/control.js";
import { ACTIONS, type Action, type FoundPackage, type PackageResult, type PreparedPackage } from "../package.js";
import { decide } from "./decide.js";
import { lookForDraft } from "./draft.js";
import { importOne, type Outcome, type QueuedPackage, resultOf, unprepared } from "./import-one.js";
import {
  DEFAULT_CONCURRENCY,
  foldTitle,
  type ImportJob,
  ImportRun,
  type ImportSummary,
  type QueueSlot,
  SiteList,
  titleOf,
} from "./import-run.js";
import { ARRIVED } from "./import-task.js";

const IDLE: ReadonlySet<Action> = new Set<Action>(["unchanged", "same-as", "refused", "publish"]);

class Tally {
  #packages = 0;
  #imported = 0;
  #published = 0;
  #failed = 0;
  #unknown = 0;
  readonly #actions: Record<Action, number> = countsOf(ACTIONS);

  count({ action, state }: PackageResult, isFailure: boolean): void {
    this.#packages += 1;
    this.#actions[action] += 1;
    if (!IDLE.has(action) && ARRIVED.has(state)) this.#imported += 1;
    if (action !== "unchanged" && state === "published") this.#published += 1;
    if (state === "unknown") this.#unknown += 1;
    else if (isFailure) this.#failed += 1;
  }

  summary(): ImportSummary {
    return {
      packages: this.#packages,
      actions: { ...this.#actions },
      imported: this.#imported,
      published: this.#published,
      failed: this.#failed,
      unknown: this.#unknown,
    };
  }
}

function countsOf<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
}

/**
 * Imports packages, each at most once over all runs, even if answers are lost. Reads the next
 * package when another one ends. A failure of one package is in its result. Throws errors that end
 * the run, without changing rows: StoppedError, SignInError, WorkspaceError, SafetyLimitError when
 * too much fails, ConnectionError when the site can't be reached; the reason of `abort`.
 */
export async function importPackages(job: ImportJob, packages: AsyncIterable<FoundPackage>): Promise<ImportSummary> {
  const list = new SiteList(await job.site.modules(job.control.abort));
  const run = new ImportRun(job, list);
  await recoverPendingDrafts(run);
  const batch = new Batch(run);
  await batch.each(packages);
  return batch.summary();
}

class Batch {
  readonly #run: ImportRun;
  readonly #tally = new Tally();
  readonly #postponed: FoundPackage[] = [];
  #done = 0;
  #failed = 0;
  #isCutShort = false;

  constructor(run: ImportRun) {
    this.#run = run;
  }

  summary(): ImportSummary {
    return this.#tally.summary();
  }

  async each(packages: AsyncIterable<FoundPackage>): Promise<void> {
    const { control } = this.#run.job;
    const width = control.concurrency ?? DEFAULT_CONCURRENCY;
    const iterator = packages[Symbol.asyncIterator]();
    try {
      await parallel({ [Symbol.asyncIterator]: () => iterator }, width, (found) => this.#one(found, false));
    } finally {
      await iterator.return?.();
    }
    await parallel(this.#postponed, width, (found) => this.#one(found, true));
    if (this.#isCutShort) throwIfStopped(control);
  }

  async #one(found: FoundPackage, isLast: boolean): Promise<void> {
    const { prepare, control } = this.#run.job;
    throwIfStopped(control);
    control.abort.throwIfAborted();
    const place = this.#run.queue.take();
    try {
      const prepared = await this.#guarded(found, () => prepare(found, this.#run.ending));
      if (prepared !== undefined) await this.#import({ found, prepared, place, isLast });
    } finally {
      place.leave();
    }
  }

  async #import(queued: QueuedPackage): Promise<void> {
    const { found, prepared } = queued;
    const place = this.#run.job.placeOf(found);
    try {
      const outcome = await this.#run.mutex.run(`place ${place}`, () => importOne(this.#run, queued));
      if (outcome.isPostponed) this.#postpone(found, outcome);
      else await this.#tell(found, outcome);
    } finally {
      await prepared.close();
    }
  }

  /** A package that can't be read is a failure, and does not stop the others. */
  async #guarded<Value>(found: FoundPackage, work: () => Promise<Value>): Promise<Value | undefined> {
    const { control } = this.#run.job;
    try {
      return await work();
    } catch (error) {
      control.abort.throwIfAborted();
      throwIfStopped(control);
      const result = unprepared(found, error);
      // Not the error itself: a connection error of the package's host is not one of the site.
      await this.#tell(found, { result, failure: new FerryError(result.reason, { cause: error }), isPostponed: false });
      return undefined;
    }
  }

  #postpone(found: FoundPackage, { result }: Outcome): void {
    if (result.digest !== null) this.#run.seen.delete(result.digest);
    this.#postponed.push(found);
  }

  async #tell(found: FoundPackage, { result, failure }: Outcome): Promise<void> {
    const { control, tell } = this.#run.job;
    const isFailure = failure !== null;
    this.#tally.count(result, isFailure);
    this.#done += 1;
    this.#failed += isFailure ? 1 : 0;
    await tell(result);
    control.progress({ done: this.#done, failed: this.#failed, source: found.source });
    if (isFailure && this.#run.isStopping) this.#isCutShort = true;
    else if (isFailure) control.breaker.failure(failure);
    else if (result.action !== "refused") control.breaker.success();
  }
}

/**
 * Reports what an import would do with each package, by the same decisions. Writes neither to the
 * site nor to the journal. Throws what reading the site throws.
 */
export async function planPackages(job: ImportJob, packages: AsyncIterable<FoundPackage>): Promise<ImportSummary> {
  const { control } = job;
  const run = new ImportRun(job, new SiteList(await job.site.modules(control.abort)));
  const tally = new Tally();
  let done = 0;
  await parallel(packages, control.concurrency ?? DEFAULT_CONCURRENCY, async (found) => {
    throwIfStopped(control);
    const result = await planOne(run, found);
    tally.count(result, false);
    await job.tell(result);
    done += 1;
    control.progress({ done, failed: 0, source: found.source });
  });
  return { ...tally.summary(), imported: 0, published: 0 };
}

async function planOne(run: ImportRun, found: FoundPackage): Promise<PackageResult> {
  const place = run.queue.take();
  try {
    const prepared = await run.job.prepare(found, run.ending).catch((error: unknown) => {
      throwIfStopped(run.job.control);
      return unprepared(found, error);
    });
    return "close" in prepared ? await planPrepared(run, found, prepared, place) : prepared;
  } finally {
    place.leave();
  }
}

async function planPrepared(
  run: ImportRun,
  found: FoundPackage,
  prepared: PreparedPackage,
  place: QueueSlot,
): Promise<PackageResult> {
  try {
    const result = resultOf(prepared.checked, await place.enter(() => decide(run, found, prepared)));
    return result.state === "checked" ? { ...result, state: null } : result;
  } finally {
    await prepared.close();
  }
}

/**
 * Runs before the first decision: searches for the modules that an earlier run may have created,
 * since the packages at their places may be new versions of them, and learns from older drafts
 * whether the site lists drafts. Open questions wait for the packages.
 */
async function recoverPendingDrafts(run: ImportRun): Promise<void> {
  const drafting: PackageRow[] = [];
  for await (const row of run.job.journal.rows()) {
    if (row.state === "drafting" && row.moduleId === null) drafting.push(row);
    else await learnFrom(run, row);
  }
  for (const row of drafting) await recoverDraftRow(run, row);
}

/** A listed draft shows that the site lists drafts. A missing one may be deleted. */
async function learnFrom(run: ImportRun, row: PackageRow): Promise<void> {
  if (row.moduleId === null || row.isNewVersion) return;
  const listed = run.list.get(row.moduleId);
  if (listed === undefined || listed.currentImport !== null || row.state === "published") return;
  if (foldTitle(listed.title) !== foldTitle(titleOf(row.module, row.source))) return;
  if ((await run.job.journal.listsDrafts()) === undefined) await run.job.journal.learnListsDrafts(true);
}

async function recoverDraftRow(run: ImportRun, row: PackageRow): Promise<void> {
  const { journal } = run.job;
  const known = await journal.listsDrafts();
  if (known === false) return;
  const { found, isConclusive } = await lookForDraft(run, row, row.changed + run.options.graceTime);
  const [only, ...more] = found;
  if (only !== undefined && more.length === 0) {
    if (known === undefined) await journal.learnListsDrafts(true);
    await run.put(row, { state: "drafted", moduleId: only.id, before: [] });
    return;
  }
  // A restarted row counts as the content of its place, which another package may have replaced.
  const isLast = (await journal.lastFrom(row.place))?.digest === row.digest;
  if (only === undefined && isConclusive && known === true && isLast)
    await run.put(row, { state: "checked", before: [] });
}

/**
 * Some modules have equal titles; more than this, or more than half of at least two packages, mean
 * a second import of the same packages.
 */
const FEW = 3;

/**
 * Throws UsageError where a first import would duplicate modules: the journal is empty, and more
 * than a few packages would become new modules with titles that the site has. Writes nothing.
 */
export async function refuseDuplicateModules(job: ImportJob, packages: readonly FoundPackage[]): Promise<void> {
  if (job.options.match === "title" || !(await isEmpty(job))) return;
  const run = new ImportRun(job, new SiteList(await job.site.modules(job.control.abort)));
  if (run.list.isEmpty) return;
  const named: string[] = [];
  for (const found of packages) {
    throwIfStopped(job.control);
    const title = await sharedTitle(run, found);
    if (title !== undefined) named.push(title);
    if (named.length > FEW) break;
  }
  const isSmall = named.length > 1 && 2 * named.length > packages.length;
  if (named.length <= FEW && !isSmall) return;
  const count = named.length > FEW ? `More than ${FEW}` : String(named.length);
  throw new UsageError(
    `${count} of the ${packages.length} packages would become new modules with titles that the site has already (${named.slice(0, FEW).join(", ")}). ` +
      "This workspace has imported nothing into this site, so the modules would exist twice. Nothing was written. If an earlier import created them, use its workspace. " +
      "Otherwise run the same command with --match title, which makes the packages new versions of those modules. " +
      "Or delete those modules on the site by hand (the service has no call for it, and `guideferry undo` cannot do it). Or import them again with --allow-duplicates.",
  );
}

async function isEmpty({ journal }: ImportJob): Promise<boolean> {
  for await (const _row of journal.rows()) return false;
  return true;
}

/** undefined: no module has its title, or the package can't be read, which the import reports. */
async function sharedTitle(run: ImportRun, found: FoundPackage): Promise<string | undefined> {
  const prepared = await run.job.prepare(found, run.ending).catch(() => undefined);
  throwIfStopped(run.job.control);
  if (prepared === undefined) return undefined;
  try {
    const { action, row } = await decide(run, found, prepared);
    const title = row === null ? "" : titleOf(row.module, found.source);
    return action === "new-module" && run.list.alike(title).length > 0 ? title : undefined;
  } finally {
    await prepared.close();
  }
}
