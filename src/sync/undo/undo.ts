import type { Survey } from "../../core/contracts.js";
import {
  ConflictError,
  EXIT,
  FerryError,
  SignInError,
  StatusError,
  StoppedError,
  UsageError,
} from "../../core/errors.js";
import { isMediaKey, type Key, type Kind, kindOf, MEDIA_KINDS } from "../../core/model/key.js";
import { parallel } from "../../core/util/concurrency.js";
import { listIn } from "../../core/util/json.js";
import type { PreImage } from "../../core/writing.js";
import type { UndoableRun } from "../../storage/ledger/undo-ledger.js";
import { throwIfStopped } from "../control.js";
import { recoverPending } from "../load/recover-pending.js";
import { type Change, ourTags, UndoNotes } from "./judge.js";
import { look, refusalOf } from "./look.js";
import {
  acceptRemote,
  apply,
  hide,
  recreateGuide,
  recreatePage,
  remoteBody,
  restoreGuide,
  restorePage,
  sendPart,
} from "./put-back.js";
import type { UndoCounts, UndoJob, UndoneKinds, UndoOutcome, UndoParts } from "./undo-job.js";

/** What an undo did, in things. */
export interface UndoSummary {
  readonly target: Survey["identity"];
  /** null: there was nothing to undo. */
  readonly run: string | null;
  readonly counts: UndoCounts;
  /** Items that could not be undone although they should have been. */
  readonly failed: number;
  /** Things of the run that stand as the run left them, or as others did since. */
  readonly left: number;
  /** Write requests sent. */
  readonly writes: number;
  /** The same in items, as far as it was carried out. */
  readonly kinds: UndoneKinds;
}

const NOTHING: UndoCounts = { delete: 0, putBack: 0, makeAgain: 0, nothing: 0, refused: 0 };

/**
 * Undoes one run at a target: settles what a killed run left, looks at everything and tells what
 * can't be undone, then carries the rest out. May be stopped anywhere and called again. Throws
 * UsageError (exit 10) for a run of which nothing is known.
 */
export async function undo(parts: UndoParts): Promise<UndoSummary> {
  const survey = await parts.target.survey(parts.control.abort);
  const history = parts.workspace.past(survey.identity);
  const run = chooseRun(history.runs(), parts.run, survey);
  const nothing = { target: survey.identity, counts: NOTHING, failed: 0, left: 0, writes: 0, kinds: {} };
  if (run === undefined) return { ...nothing, run: null };
  const before = parts.target.writes() + parts.site.writes();
  const job: UndoJob = { ...parts, survey, history, run, context: contextOf(parts, history), failed: new Set<Key>() };
  const unresolved = await recoverCreates(job);
  const notes = new UndoNotes(parts.workspace.scratch);
  const counts = await look(job, notes, unresolved);
  parts.onPlanned({ target: survey.identity, run, counts });
  parts.onLooked?.(() => undoneKinds(job, notes));
  const failed = parts.dryRun ? 0 : await carryOut(job, notes);
  if (!parts.dryRun) history.forgetAllIfEmpty();
  const left = history.runs().find(({ id }) => id === run.id)?.open ?? 0;
  const writes = parts.target.writes() + parts.site.writes() - before;
  return { target: survey.identity, run: run.id, counts, failed, left, writes, kinds: undoneKinds(job, notes) };
}

/**
 * Creates of which no answer came are looked for: what was made is in the ledger then, and goes
 * like the rest. Only reads are sent.
 */
async function recoverCreates({ history, target, control, context }: UndoJob): Promise<ReadonlySet<Key>> {
  const { unresolved } = await recoverPending({ job: { ledger: history.ledger, target, control }, context });
  return new Set(unresolved.keys());
}

function contextOf({ workspace }: UndoParts, { ledger }: UndoJob["history"]): UndoJob["context"] {
  return {
    idOf: (key) => ledger.idOf(key),
    keyOf: (kind, id) => ledger.keyOf(kind, id),
    written: (key) => ledger.written(key),
    left: (key) => ledger.left(key),
    moves: () => false,
    addressOf: () => undefined,
    bytes: (sha256) => workspace.media.open(sha256),
    remember: (name, value) => ledger.remember(name, value),
    recall: (name) => ledger.recall(name),
  };
}

/**
 * The named run, or the last one of which something can still be undone; undefined: there is none.
 * Throws UsageError (exit 10) for an unknown one.
 */
function chooseRun(
  runs: readonly UndoableRun[],
  named: string | undefined,
  { identity }: Survey,
): UndoableRun | undefined {
  if (named === undefined) return runs.find(({ open }) => open > 0);
  const run = runs.find(({ id }) => id === named);
  if (run !== undefined) return run.open > 0 ? run : undefined;
  const known = runs.filter(({ open }) => open > 0).map(({ id }) => id);
  const others = known.length === 0 ? "None can be." : `These can be: ${known.join(", ")}.`;
  throw new UsageError(
    `Nothing is kept of a run ${named} that wrote to ${identity.root}, so it can't be undone. ${others} A run that only read, an undo, and one that is older than the last 20 that wrote have nothing to undo.`,
    { exitCode: EXIT.notFound },
  );
}

/** Nothing has to be done for these. */
const IDLE: ReadonlySet<Change> = new Set(["nothing", "same", "forget"]);
const DELETES: ReadonlySet<Change> = new Set(["delete", "replace"]);

/** What is known of an item from its things, as far as they were looked at. */
interface Seen {
  readonly own: Change | undefined;
  readonly isUndone: boolean;
  readonly isOpen: boolean;
  readonly isRefused: boolean;
}

const UNSEEN: Seen = { own: undefined, isUndone: false, isOpen: false, isRefused: false };

/**
 * Counts the items of an undo as they stand now: at its end, or where it was stopped. What an
 * earlier undo took back is not part of this one.
 */
function undoneKinds(job: UndoJob, notes: UndoNotes): UndoneKinds {
  const counts: Partial<Record<Kind, Partial<Record<UndoOutcome, number>>>> = {};
  let item: Key | undefined;
  let seen = UNSEEN;
  let isLooked = false;
  const close = (): void => {
    if (item === undefined || !isLooked) return;
    const outcome = outcomeOf(seen, job.failed.has(item));
    const row = counts[kindOf(item)] ?? {};
    counts[kindOf(item)] = { ...row, [outcome]: (row[outcome] ?? 0) + 1 };
  };
  for (const thing of job.history.things(job.run.id)) {
    if (thing.item !== item) {
      close();
      [item, seen, isLooked] = [thing.item, UNSEEN, false];
    }
    const noted = notes.of(thing.thing);
    if (noted === undefined) continue;
    isLooked = true;
    const { change, refused } = noted;
    const isWork = !refused && !IDLE.has(change);
    seen = {
      own: thing.thing === item ? change : seen.own,
      isUndone: seen.isUndone || (isWork && thing.isUndone),
      isOpen: seen.isOpen || (isWork && !thing.isUndone),
      isRefused: seen.isRefused || refused,
    };
  }
  close();
  return counts;
}

function outcomeOf({ own, isUndone, isOpen, isRefused }: Seen, hasFailed: boolean): UndoOutcome {
  if (hasFailed) return "failed";
  if (isOpen) return "waiting";
  if (isUndone) return own === "make-again" ? "created" : own !== undefined && DELETES.has(own) ? "deleted" : "updated";
  return isRefused ? "left" : "unchanged";
}

type Work = (item: Key, rows: readonly PreImage[]) => Promise<void>;

const GUIDES: ReadonlySet<Kind> = new Set(["guide"]);
const PAGES: ReadonlySet<Kind> = new Set(["category", "wiki"]);
const STAYS: ReadonlySet<Change> = new Set(["put-back", "same"]);
const MADE_AGAIN: ReadonlySet<Change> = new Set(["make-again"]);
const GOES: ReadonlySet<Change> = new Set(["delete", "replace", "forget", "nothing"]);

/** What is done with the items of some kinds of which the same is to become. */
interface Phase {
  readonly kinds: ReadonlySet<Kind>;
  readonly changes: ReadonlySet<Change>;
  readonly work: Work;
  /** They hang on each other. Default false. */
  readonly dependent?: true;
}

/**
 * Undoes what can be, the last things of the run first: what was published is hidden, what is
 * needed comes back, then goes what was made.
 */
async function carryOut(job: UndoJob, notes: UndoNotes): Promise<number> {
  const absorbed = (work: Work): Work => {
    return async (item, rows) => {
      await acceptRemote(job, notes, item, rows);
      await work(item, rows);
    };
  };
  const removed = absorbed((item, rows) => remove(job, notes, item, rows));
  const phases: readonly Phase[] = [
    { kinds: GUIDES, changes: STAYS, work: absorbed((_item, rows) => hide(job, notes, rows)) },
    { kinds: PAGES, changes: MADE_AGAIN, work: (item, rows) => recreatePage(job, item, rows) },
    { kinds: GUIDES, changes: MADE_AGAIN, work: (item, rows) => recreateGuide(job, item, rows) },
    { kinds: PAGES, changes: STAYS, work: absorbed((_item, rows) => restorePage(job, notes, rows)) },
    { kinds: GUIDES, changes: STAYS, work: (_item, rows) => restoreGuide(job, notes, rows) },
    { kinds: GUIDES, changes: GOES, work: absorbed((item) => dropPrerequisites(job, notes, item)) },
    { kinds: GUIDES, changes: GOES, work: removed },
    { kinds: PAGES, changes: GOES, work: removed, dependent: true },
    { kinds: new Set(MEDIA_KINDS), changes: GOES, work: removed },
  ];
  const run = new UndoRun(job, notes, phases);
  for (const phase of phases) await (phase.dependent === true ? run.eachDependent(phase) : run.each(phase));
  return run.failed;
}

/** The phases of an undo, and what it counts. */
class UndoRun {
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
    for (const item of job.history.items(job.run.id, "last"))
      total += phases.filter((phase) => this.#isOf(phase, item)).length;
    this.#total = total;
  }

  async each(phase: Phase): Promise<void> {
    const { history, run, control } = this.#job;
    const items = history.items(run.id, "last");
    await parallel(items, control.concurrency, async (item) => {
      if (this.#isOf(phase, item)) await this.#one(item, phase.work);
    });
  }

  #isOf({ kinds, changes }: Phase, item: Key): boolean {
    return kinds.has(kindOf(item)) && changes.has(this.#notes.of(item)?.change ?? "put-back");
  }

  /**
   * A page with others below it can't go before them (api-facts 8.1), and where they hang the order
   * in which they were made does not tell.
   */
  async eachDependent(phase: Phase): Promise<void> {
    const { history, run } = this.#job;
    let items: Iterable<Key> = history.items(run.id, "last");
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
    const { history, run, control, failed, workspace } = this.#job;
    const all = failed.has(item) ? [] : history.earlier(run.id, item);
    const rows = all.filter(({ thing }) => this.#notes.of(thing)?.refused === false);
    if (rows.length === 0) return this.#finished(item);
    throwIfStopped(control);
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
    const preImage = { item, thing: item, id: null };
    const reason = error instanceof ConflictError ? "edited" : "failed";
    await onRefusal(await refusalOf(this.#job, preImage, reason, error.message));
    control.brake.failure(error);
  }
}

/**
 * Deletes what the run made: a guide with its steps, a page, or the media manager's entry of an
 * upload.
 */
async function remove(job: UndoJob, notes: UndoNotes, item: Key, rows: readonly PreImage[]): Promise<void> {
  const { history, run, workspace } = job;
  const change = notes.of(item)?.change;
  if (change === "delete" || change === "replace") {
    const tags = isMediaKey(item) ? [] : await ourTags(job, item);
    await apply(job, item, `${item}/delete`, { verb: "delete-item", of: item, tags });
  }
  const back = change === "replace" ? rows.flatMap(({ written }) => written ?? []) : [];
  if (isMediaKey(item)) for (const key of history.uploadGone(run.id, item)) workspace.failures.clear("load", key);
  else history.gone(run.id, item, back);
  workspace.failures.clear("load", item);
}

const GOES_WITH_STEPS: ReadonlySet<string> = new Set(["delete", "replace"]);

/**
 * Takes away the prerequisites of a guide that go with it. A site takes a deleted guide out of
 * those that need it, so that one of two guides that go, and of which one needs the other, would
 * not be as we left it any more when its turn comes.
 */
async function dropPrerequisites(job: UndoJob, notes: UndoNotes, item: Key): Promise<void> {
  if (!GOES_WITH_STEPS.has(notes.of(item)?.change ?? "")) return;
  const { prerequisites } = await remoteBody(job, { item, thing: item });
  for (const id of listIn(prerequisites)) {
    const needed = await job.history.ledger.keyOf("guide", String(id));
    const noted = needed === undefined ? undefined : notes.of(needed);
    if (noted === undefined || noted.refused || !GOES_WITH_STEPS.has(noted.change)) continue;
    await sendPart(job, { item, thing: item }, "fields", { prerequisites: [] });
    return;
  }
}
