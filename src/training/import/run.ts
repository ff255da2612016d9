import { setMaxListeners } from "node:events";
import type { PackageRow } from "../../core/training.js";
import { type Clock, systemClock } from "../../core/util/clock.js";
import { KeyedMutex } from "../../core/util/keyed-mutex.js";
import { DEFAULTS, type ImportJob, type ImportOptions } from "./job.js";
import { Line } from "./line.js";
import type { SiteList } from "./site-list.js";

/** One run, as its packages share it. */
export class ImportRun {
  readonly job: ImportJob;
  readonly list: SiteList;
  readonly options: Required<ImportOptions>;
  readonly clock: Clock;
  readonly mutex = new KeyedMutex();
  /** In which packages wait to be decided on. */
  readonly line = new Line();
  /** Digests that this run came upon, with the place of the first. */
  readonly seen = new Map<string, string>();
  /** Modules that packages of this run go into, with the place of the first of each. */
  readonly claims = new Map<string, string>();
  /** What made an answer count as lost, for each package the last one: its turn may come again before it is told. */
  readonly losses = new Map<string, unknown>();
  /** Aborted with either signal of the control. */
  readonly ending: AbortSignal;

  constructor(job: ImportJob, list: SiteList) {
    const { clock = systemClock, control, options } = job;
    this.job = job;
    this.list = list;
    this.options = { ...DEFAULTS, ...options };
    this.clock = clock;
    this.ending = AbortSignal.any([control.stop, control.abort]);
    setMaxListeners(0, this.ending);
  }

  /** Milliseconds so far in which nobody could ask, since a person had paused the run. */
  stood(): number {
    return this.job.stood?.() ?? 0;
  }

  get isStopping(): boolean {
    return this.job.control.stop.aborted;
  }

  /** Drafts and import records are made one at a time, so that what is new at the site has one maker. */
  making<T>(work: () => Promise<T>): Promise<T> {
    return this.mutex.run("making", work);
  }

  /** Writes a row down. A run that was cut off writes nothing: what it would write was not looked at any more. */
  async put(row: PackageRow, changes: Partial<PackageRow>): Promise<PackageRow> {
    this.job.control.abort.throwIfAborted();
    const next: PackageRow = { ...row, ...changes, changed: this.clock.now() };
    await this.job.journal.put(next);
    return next;
  }

  /** Is the module surely not at the site any more? `isPublished`: then the site lists it in any case. */
  async isGone(moduleId: string, isPublished: boolean): Promise<boolean> {
    if (this.list.get(moduleId) !== undefined) return false;
    return isPublished || (await this.job.journal.listsDrafts()) === true;
  }

  /** Milliseconds to wait between looks, growing; without an end. */
  *pauses(): IterableIterator<number> {
    const { first, factor, longest } = this.options.poll;
    const { random = Math.random } = this.job;
    for (let pause = first; ; pause = Math.min(longest, pause * factor)) yield pause * (0.8 + 0.4 * random());
  }

  /** Waits; ends early when the run is asked to stop, and throws when it is dropped. */
  async pause(milliseconds: number): Promise<void> {
    const { abort } = this.job.control;
    try {
      await this.clock.sleep(milliseconds, this.ending);
    } catch (error) {
      abort.throwIfAborted();
      if (!this.ending.aborted) throw error;
    }
  }
}
