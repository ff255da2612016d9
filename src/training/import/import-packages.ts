import { FerryError } from "../../core/errors.js";
import { parallel } from "../../core/util/parallel.js";
import { halt } from "../../sync/halt.js";
import type { FoundPackage } from "../package.js";
import { importOne, type Outcome, type Turn, unprepared } from "./import-one.js";
import { DEFAULT_CONCURRENCY, type ImportJob, type ImportSummary } from "./job.js";
import { ImportRun } from "./run.js";
import { settle } from "./settle.js";
import { SiteList } from "./site-list.js";
import { Tally } from "./tally.js";

/**
 * Imports packages: each at most once, whatever gets lost on the way, and in whatever run. The packages are drawn as places become free. What goes
 * wrong with one is told with it. Throws what ends the run, every row kept as it stands: StoppedError, SignInError, WorkspaceError, BrakeError
 * when too much fails, ConnectionError when the site can't be reached; the reason of `abort` when that is aborted.
 */
export async function importPackages(job: ImportJob, packages: AsyncIterable<FoundPackage>): Promise<ImportSummary> {
  const list = new SiteList(await job.site.modules(job.control.abort));
  const run = new ImportRun(job, list);
  await settle(run);
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
    if (this.#isCutShort) halt(control);
  }

  async #one(found: FoundPackage, isLast: boolean): Promise<void> {
    const { prepare, control } = this.#run.job;
    halt(control);
    control.abort.throwIfAborted();
    const place = this.#run.line.take();
    try {
      const prepared = await this.#guarded(found, () => prepare(found, this.#run.ending));
      if (prepared !== undefined) await this.#import({ found, prepared, place, isLast });
    } finally {
      place.leave();
    }
  }

  async #import(turn: Turn): Promise<void> {
    const { found, prepared } = turn;
    const place = this.#run.job.placeOf(found);
    try {
      const outcome = await this.#run.mutex.run(`place ${place}`, () => importOne(this.#run, turn));
      if (outcome.isPostponed) this.#postpone(found, outcome);
      else await this.#tell(found, outcome);
    } finally {
      await prepared.close();
    }
  }

  /** A package that can't be looked at, the disk's or the network's fault, is not the others'. */
  async #guarded<Value>(found: FoundPackage, work: () => Promise<Value>): Promise<Value | undefined> {
    const { control } = this.#run.job;
    try {
      return await work();
    } catch (error) {
      control.abort.throwIfAborted();
      halt(control);
      const result = unprepared(found, error);
      // Not the error itself: that a package's host can't be reached says nothing of the site.
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
    else if (isFailure) control.brake.failure(failure);
    else if (result.action !== "refused") control.brake.success();
  }
}
