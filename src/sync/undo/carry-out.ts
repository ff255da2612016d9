import type { Earlier } from "../../core/contracts.js";
import { ConflictError, FerryError, SignInError, StatusError, StoppedError } from "../../core/errors.js";
import { type Key, type Kind, kindOf } from "../../core/model/key.js";
import { parallel } from "../../core/util/parallel.js";
import { halt } from "../halt.js";
import type { Change } from "./judge.js";
import { letGo } from "./let-go.js";
import { refusalOf } from "./look.js";
import { makeGuideAgain, makePageAgain } from "./make-again.js";
import type { UndoNotes } from "./notes.js";
import { absorb, hide, putGuideBack, putPageBack } from "./put-back.js";
import { remove } from "./remove.js";
import type { UndoJob } from "./undo-job.js";

type Work = (item: Key, rows: readonly Earlier[]) => Promise<void>;

const GUIDES: ReadonlySet<Kind> = new Set(["guide"]);
const PAGES: ReadonlySet<Kind> = new Set(["category", "wiki"]);
const MEDIA: ReadonlySet<Kind> = new Set(["image", "video", "document"]);
const STAYS: ReadonlySet<Change> = new Set(["put-back", "same"]);
const MADE_AGAIN: ReadonlySet<Change> = new Set(["make-again"]);
const GOES: ReadonlySet<Change> = new Set(["delete", "replace", "forget", "nothing"]);

/** What is done with the items of some kinds of which the same is to become. */
interface Phase {
  readonly kinds: ReadonlySet<Kind>;
  readonly changes: ReadonlySet<Change>;
  readonly work: Work;
  /** They hang on each other. Default false. */
  readonly hang?: true;
}

/** Undoes what can be, the last things of the run first: what was published is hidden, what is needed comes back, then goes what was made. */
export async function carryOut(job: UndoJob, notes: UndoNotes): Promise<number> {
  const absorbed = (work: Work): Work => {
    return async (item, rows) => {
      await absorb(job, notes, item, rows);
      await work(item, rows);
    };
  };
  const removed = absorbed((item, rows) => remove(job, notes, item, rows));
  const phases: readonly Phase[] = [
    { kinds: GUIDES, changes: STAYS, work: absorbed((_item, rows) => hide(job, notes, rows)) },
    { kinds: PAGES, changes: MADE_AGAIN, work: (item, rows) => makePageAgain(job, item, rows) },
    { kinds: GUIDES, changes: MADE_AGAIN, work: (item, rows) => makeGuideAgain(job, item, rows) },
    { kinds: PAGES, changes: STAYS, work: absorbed((_item, rows) => putPageBack(job, notes, rows)) },
    { kinds: GUIDES, changes: STAYS, work: (_item, rows) => putGuideBack(job, notes, rows) },
    { kinds: GUIDES, changes: GOES, work: absorbed((item) => letGo(job, notes, item)) },
    { kinds: GUIDES, changes: GOES, work: removed },
    { kinds: PAGES, changes: GOES, work: removed, hang: true },
    { kinds: MEDIA, changes: GOES, work: removed },
  ];
  const run = new Undoing(job, notes, phases);
  for (const phase of phases) await (phase.hang === true ? run.hanging(phase) : run.each(phase));
  return run.failed;
}

/** The phases of an undo, and what it counts. */
class Undoing {
  readonly #job: UndoJob;
  readonly #notes: UndoNotes;
  /** Each item counts in each phase that takes it. */
  readonly #total: number;
  #done = 0;
  failed = 0;

  constructor(job: UndoJob, notes: UndoNotes, phases: readonly Phase[]) {
    this.#job = job;
    this.#notes = notes;
    let total = 0;
    for (const item of job.past.items(job.run.id, "last"))
      total += phases.filter((phase) => this.#isOf(phase, item)).length;
    this.#total = total;
  }

  async each(phase: Phase): Promise<void> {
    const { past, run, control } = this.#job;
    const items = past.items(run.id, "last");
    await parallel(items, control.concurrency, async (item) => {
      if (this.#isOf(phase, item)) await this.#one(item, phase.work);
    });
  }

  #isOf({ kinds, changes }: Phase, item: Key): boolean {
    return kinds.has(kindOf(item)) && changes.has(this.#notes.of(item)?.change ?? "put-back");
  }

  /** A page with others below it can't go before them (api-facts 8.1), and where they hang the order in which they were made does not tell. */
  async hanging(phase: Phase): Promise<void> {
    const { past, run } = this.#job;
    let items: Iterable<Key> = past.items(run.id, "last");
    for (let before = Number.POSITIVE_INFINITY; ; ) {
      const waiting: { readonly item: Key; readonly error: unknown }[] = [];
      for (const item of items) {
        if (this.#isOf(phase, item)) await this.#one(item, phase.work, (error) => waiting.push({ item, error }));
      }
      if (waiting.length < before && waiting.length > 0) {
        before = waiting.length;
        items = waiting.map(({ item }) => item);
        continue;
      }
      for (const { item, error } of waiting) {
        await this.#fail(item, error);
        this.#finished(item);
      }
      return;
    }
  }

  /** `later`: what is given to it is not finished. */
  async #one(item: Key, work: Work, later?: (error: StatusError) => void): Promise<void> {
    const { past, run, control, failed, workspace } = this.#job;
    const all = failed.has(item) ? [] : past.earlier(run.id, item);
    const rows = all.filter(({ thing }) => this.#notes.of(thing)?.refused === false);
    if (rows.length === 0) return this.#finished(item);
    halt(control);
    try {
      await work(item, rows);
      control.brake.success();
    } catch (error) {
      if (later !== undefined && error instanceof StatusError && error.status === 422) return later(error);
      await this.#fail(item, error);
    } finally {
      workspace.runs.beat();
    }
    this.#finished(item);
  }

  #finished(item: Key): void {
    this.#done += 1;
    const { control } = this.#job;
    control.progress({ stage: "undo", done: this.#done, total: this.#total, key: item, failed: this.failed });
  }

  /** One thing that can't be undone never keeps the others from it. */
  async #fail(item: Key, error: unknown): Promise<void> {
    const { control, failed, onRefusal } = this.#job;
    if (control.abort.aborted || error instanceof StoppedError || error instanceof SignInError) throw error;
    if (!(error instanceof FerryError)) throw error;
    failed.add(item);
    this.failed += 1;
    const earlier = { item, thing: item, id: null };
    const reason = error instanceof ConflictError ? "edited" : "failed";
    await onRefusal(await refusalOf(this.#job, earlier, reason, error.message));
    control.brake.failure(error);
  }
}
