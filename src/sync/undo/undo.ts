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
import { type Change, ourTags, UndoNotes } from "./verdicts.js";

export interface UndoSummary {
  readonly target: Survey["identity"];
  readonly run: string | null;
  readonly counts: UndoCounts;
  readonly failed: number;
  /** Things of the run that are not undone. */
  readonly left: number;
  readonly writes: number;
  readonly kinds: UndoneKinds;
}

const NOTHING: UndoCounts = { delete: 0, putBack: 0, makeAgain: 0, nothing: 0, refused: 0 };

/**
 * Undoes one run on a target: recovers pending creates, reports what can't be undone, and undoes
 * the rest. May be killed anywhere and run again. Throws UsageError (exit 10) for an unknown run.
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

/** Adds creates whose answer was lost to the ledger, so that they are undone too. Only reads. */
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
    bytes: (sha256) => workspace.media.read(sha256),
    remember: (name, value) => ledger.remember(name, value),
    recall: (name) => ledger.recall(name),
  };
}

/**
 * The named run, or the last one with something to undo; undefined: none. Throws UsageError (exit
 * 10) for an unknown one.
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
  const others = known.length === 0 ? "No run can be undone." : `These runs can be undone: ${known.join(", ")}.`;
  throw new UsageError(
    `The run ${named} cannot be undone: the workspace has no record of its writes to ${identity.root}. ${others} There is no record of an undo, of a run that only read, and of runs before the last 20 that wrote.`,
    { exitCode: EXIT.notFound },
  );
}

const IDLE: ReadonlySet<Change> = new Set(["nothing", "same", "forget"]);
const DELETES: ReadonlySet<Change> = new Set(["delete", "replace"]);

interface Seen {
  readonly own: Change | undefined;
  readonly isUndone: boolean;
  readonly isOpen: boolean;
  readonly isRefused: boolean;
}

const UNSEEN: Seen = { own: undefined, isUndone: false, isOpen: false, isRefused: false };

/** Counts items in their present state. What an earlier undo undid does not count. */
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

interface Phase {
  readonly kinds: ReadonlySet<Kind>;
  readonly changes: ReadonlySet<Change>;
  readonly work: Work;
  readonly dependent?: true;
}

/**
 * Undoes the last things of the run first: hides what was published, restores what is needed, then
 * deletes what was created.
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

class UndoRun {
  readonly #job: UndoJob;
  readonly #notes: UndoNotes;
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
   * Repeats the phase while it makes progress: a page is deleted after its child pages (api-facts
   * 8.1), and the order of creation does not show these.
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

  /** `later`: takes the error of an item that is tried again. */
  async #one(item: Key, work: Work, later?: (error: StatusError) => void): Promise<void> {
    const { history, run, control, failed, workspace } = this.#job;
    const all = failed.has(item) ? [] : history.earlier(run.id, item);
    const rows = all.filter(({ thing }) => this.#notes.of(thing)?.refused === false);
    if (rows.length === 0) return this.#finished(item);
    throwIfStopped(control);
    try {
      await work(item, rows);
      control.breaker.success();
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

  async #fail(item: Key, error: unknown): Promise<void> {
    const { control, failed, onRefusal } = this.#job;
    if (control.abort.aborted || error instanceof StoppedError || error instanceof SignInError) throw error;
    if (!(error instanceof FerryError)) throw error;
    failed.add(item);
    this.failed += 1;
    const preImage = { item, thing: item, id: null };
    const reason = error instanceof ConflictError ? "edited" : "failed";
    await onRefusal(await refusalOf(this.#job, preImage, reason, error.message));
    control.breaker.failure(error);
  }
}

async function remove(job: UndoJob, notes: UndoNotes, item: Key, rows: readonly PreImage[]): Promise<void> {
  const { history, run, workspace } = job;
  const change = notes.of(item)?.change;
  if (change === "delete" || change === "replace") {
    const tags = isMediaKey(item) ? [] : await ourTags(job, item);
    await apply(job, item, `${item}/delete`, { verb: "delete-item", of: item, tags });
  }
  const back = change === "replace" ? rows.flatMap(({ written }) => written ?? []) : [];
  if (isMediaKey(item)) for (const key of history.uploadDeleted(run.id, item)) workspace.failures.clear("load", key);
  else history.deleted(run.id, item, back);
  workspace.failures.clear("load", item);
}

const GOES_WITH_STEPS: ReadonlySet<string> = new Set(["delete", "replace"]);

/**
 * Removes prerequisites that are deleted too. A site removes a deleted guide from those that need
 * it, and they would look edited.
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
