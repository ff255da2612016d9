import type { Earlier } from "../../contracts.js";
import { ConflictError, FerryError, SignInError, StatusError, StoppedError } from "../../errors.js";
import { type Key, type Kind, kindOf } from "../../model/key.js";
import { parallel } from "../../util/parallel.js";
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
const STAYS: readonly Change[] = ["put-back", "same"];
const GOES: ReadonlySet<Change> = new Set(["delete", "replace", "forget", "nothing"]);

/** Undoes what can be, the last things of the run first: what was published is hidden, what is needed comes back, then goes what was made. */
export async function carryOut(job: UndoJob, notes: UndoNotes): Promise<number> {
  const run = new Undoing(job, notes);
  await run.each(GUIDES, STAYS, async (item, rows) => {
    await absorb(job, notes, item, rows);
    await hide(job, notes, rows);
  });
  await run.each(PAGES, ["make-again"], (item, rows) => makePageAgain(job, item, rows));
  await run.each(GUIDES, ["make-again"], (item, rows) => makeGuideAgain(job, item, rows));
  await run.each(PAGES, STAYS, async (item, rows) => {
    await absorb(job, notes, item, rows);
    await putPageBack(job, notes, rows);
  });
  await run.each(GUIDES, STAYS, (_item, rows) => putGuideBack(job, notes, rows));
  const removed: Work = async (item, rows) => {
    await absorb(job, notes, item, rows);
    await remove(job, notes, item, rows);
  };
  await run.each(GUIDES, [...GOES], async (item, rows) => {
    await absorb(job, notes, item, rows);
    await letGo(job, notes, item);
  });
  await run.each(GUIDES, [...GOES], removed);
  await run.pages(removed);
  await run.each(MEDIA, [...GOES], removed);
  return run.failed;
}

/** The phases of an undo, and what it counts. */
class Undoing {
  readonly #job: UndoJob;
  readonly #notes: UndoNotes;
  #done = 0;
  failed = 0;

  constructor(job: UndoJob, notes: UndoNotes) {
    this.#job = job;
    this.#notes = notes;
  }

  async each(kinds: ReadonlySet<Kind>, changes: readonly Change[], work: Work): Promise<void> {
    const { past, run, control } = this.#job;
    const items = past.items(run.id, "last");
    await parallel(items, control.concurrency, async (item) => {
      if (kinds.has(kindOf(item)) && changes.includes(this.#changeOf(item))) await this.#one(item, work);
    });
  }

  /** A page with others below it can't go before them (api-facts 8.1), and where they hang the order in which they were made does not tell. */
  async pages(work: Work): Promise<void> {
    const { past, run } = this.#job;
    for (let before = Number.POSITIVE_INFINITY; ; ) {
      const waiting: { readonly item: Key; readonly error: unknown }[] = [];
      for (const item of past.items(run.id, "last")) {
        if (!PAGES.has(kindOf(item)) || !GOES.has(this.#changeOf(item))) continue;
        await this.#one(item, work, (error) => waiting.push({ item, error }));
      }
      if (waiting.length === 0) return;
      if (waiting.length >= before) {
        for (const { item, error } of waiting) await this.#fail(item, error);
        return;
      }
      before = waiting.length;
    }
  }

  #changeOf(item: Key): Change {
    return this.#notes.of(item)?.change ?? "put-back";
  }

  async #one(item: Key, work: Work, later?: (error: StatusError) => void): Promise<void> {
    const { past, run, control, failed, workspace } = this.#job;
    if (failed.has(item)) return;
    halt(control);
    const rows = past.earlier(run.id, item).filter(({ thing }) => this.#notes.of(thing)?.refused === false);
    if (rows.length === 0) return;
    try {
      await work(item, rows);
      control.brake.success();
    } catch (error) {
      if (later !== undefined && error instanceof StatusError && error.status === 422) later(error);
      else await this.#fail(item, error);
    } finally {
      workspace.runs.beat();
      this.#done += 1;
      control.progress({ stage: "undo", done: this.#done, total: null, key: item, failed: this.failed });
    }
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
