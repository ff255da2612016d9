import { messageOf, SafetyLimitError, SignInError, StoppedError } from "../../core/errors.js";
import type { Issue } from "../../core/model/issue.js";
import type { Key } from "../../core/model/key.js";
import { stopwatch } from "../../core/util/clock.js";
import { parallel } from "../../core/util/concurrency.js";
import type { Phase } from "../../core/writing.js";
import type { ProgressEvent, Stage } from "../control.js";
import { waves } from "../order.js";
import { remedyAt } from "../remedies.js";
import { type Checked, check } from "./check.js";
import { deleteAtTarget, reportDeletions } from "./delete-items.js";
import { refuseTooManyDeletions } from "./deleted-at-source.js";
import { findDeletions, recreateDeleted } from "./deleted-at-target.js";
import { refuseDuplicateGuides } from "./duplicate-guides.js";
import { finishedBefore, noteFinished } from "./finished-load.js";
import { stillHidden } from "./hide.js";
import { ItemPlanner } from "./item-planner.js";
import { refusedButCurrent } from "./left-out.js";
import { closeFailures, ItemLoader, type ItemWriters } from "./load-item.js";
import { type LoadJob, type LoadParts, loadJobOf, openTarget, withStepLimits } from "./load-job.js";
import { LoadState } from "./load-state.js";
import type { LoadSummary } from "./load-summary.js";
import { OperationWriter } from "./perform.js";
import { recoverPending } from "./recover-pending.js";
import { Recreation } from "./recreate.js";
import { Referrers } from "./referrers.js";
import { RefusedSteps } from "./refused-step.js";
import { failedMedia, MediaWriter } from "./send-media.js";
import { learnStepLimits } from "./step-limits.js";
import { decidePages, toTranslate } from "./translations.js";
import { contextOf, type SharedContext } from "./write-context.js";

/** Loads a workspace into a target. docs/design/load-protocol.md describes the steps. */
export async function load(parts: LoadParts): Promise<LoadSummary> {
  const writesBefore = parts.target.writes();
  const opened = await openTarget(parts);
  await refuseEmptied({ ...parts, ...opened });
  const finished = await finishedBefore(parts, opened);
  if (finished !== undefined) return finished;
  const asked = await loadJobOf(parts, opened);
  const { job, checked } = await checkedWithin(asked);
  const swept = await findDeletions(job, checked);
  await refuseTooManyDeletions(job, swept.atSource);
  const state = new LoadState();
  const context = contextOf(job, checked.map, (media) => state.isUntaken(media));
  const writers = writersOf(job, checked, context, state);
  const current = await refusedButCurrent(job, checked, writers.planner);
  for (const key of checked.map.refused)
    if (!current.has(key)) await job.ledger.report(key, [...checked.refusedFor(key), ...job.notes.get(key)]);
  for (const key of checked.map.mapped) await job.ledger.report(key, [await movedElsewhere(job, key)]);
  for (const [key, issues] of job.preview.dropped) await job.ledger.report(key, issues);
  const { found, unresolved } = await recoverPending({ job, context });
  for (const [key, reason] of unresolved) state.markPending(key, reason);
  await closeFailures(job);
  await reportDeletions(job, swept);
  await recreateDeleted(writers.recreation, swept.atTarget, job.control);
  const run = new LoadRun(job, checked, new ItemLoader(job, checked, writers), writers);
  run.leaveOut(unresolved);
  run.leaveOut(job.preview.failed);
  await decidePages(job, checked.translatedPages);
  await run.create();
  await run.translate();
  await run.repair();
  await run.publish();
  const deleted = await deleteAtTarget(job, checked.map, writers, swept, run.each);
  await run.repair();
  await run.showAgain();
  run.countUnsent();
  const { categories, wikis, guides, refused } = checked.map;
  const summary: LoadSummary = {
    target: job.survey.identity,
    items: categories.length + wikis.length + guides.length,
    refused: refused.size,
    ...run.counts(),
    writes: parts.target.writes() - writesBefore,
    found,
    deletedAtSource: { listed: swept.atSource.length, deleted },
    recreated: state.recreatedCount(),
    hidden: state.hidden().length,
    operations: await job.ledger.counts(),
    unknown: job.people.unknown,
  };
  const { atSource, atBoth } = swept;
  await noteFinished(parts, job, summary, run.isAllDone() && atSource.length + atBoth.length === 0);
  return summary;
}

function writersOf(job: LoadJob, checked: Checked, context: SharedContext, state: LoadState): ItemWriters {
  const planner = new ItemPlanner(job, checked);
  const writer = new OperationWriter(job, context, state);
  const media = new MediaWriter(job, checked, writer, state);
  const refusedSteps = new RefusedSteps(job, checked, writer, media, state);
  const recreation = new Recreation(job, planner, new Referrers(job, checked.map, planner), state);
  return { planner, writer, media, refusedSteps, recreation, state };
}

async function movedElsewhere({ ledger, survey }: Pick<LoadJob, "ledger" | "survey">, key: Key): Promise<Issue> {
  const id = (await ledger.idOf(key)) ?? "";
  return {
    code: "moved-elsewhere",
    level: "note",
    key,
    path: "",
    message: `Another workspace loaded it (--map). It is ${id} at ${survey.identity.root}, and references lead there.`,
  };
}

async function checkedWithin(job: LoadJob): Promise<{ readonly job: LoadJob; readonly checked: Checked }> {
  const checked = await check(job);
  await refuseDuplicateGuides(job, checked.map, new ItemPlanner(job, checked), contextOf(job, checked.map));
  const limits = checked.overLimit === null ? undefined : await learnStepLimits(job, checked.overLimit);
  if (limits === undefined) return { job, checked };
  const within = withStepLimits(job, limits);
  return { job: within, checked: await check(within) };
}

/**
 * Items in work. Each sends its requests one by one and writes to the ledger in between, so three
 * times as many keep all connections busy.
 */
function itemsAtWork(concurrency: number): number {
  return concurrency === 1 ? 1 : 3 * concurrency;
}

interface StageCount {
  done: number;
  readonly total: number;
  skipped: number;
  readonly sure: number;
}

function countOf({
  done,
  total,
  skipped,
  sure,
}: StageCount): Pick<ProgressEvent, "done" | "total" | "skipped" | "toDo"> {
  const ahead = Math.max(0, total - done);
  const worked = done - skipped;
  const sureAhead = Math.min(ahead, Math.max(0, sure - worked));
  const beyond = Math.max(0, worked - sure);
  const others = Math.max(1, done - Math.min(done, sure));
  return { done, total, skipped, toDo: sureAhead + Math.round(((ahead - sureAhead) * beyond) / others) };
}

class LoadRun {
  readonly #job: Pick<LoadJob, "workspace" | "ledger" | "target" | "options" | "control">;
  readonly #checked: Checked;
  readonly #planner: ItemPlanner;
  readonly #state: LoadState;
  readonly #media: MediaWriter;
  readonly #loader: ItemLoader;
  readonly #failed = new Set<Key>();
  readonly #heldBack = new Set<Key>();
  readonly #private = new Set<Key>();
  readonly #progress = new Map<Stage, StageCount>();
  #adopted = 0;
  /** Items that this run has loaded, and has to publish. */
  #unpublished = 0;

  constructor(
    job: Pick<LoadJob, "workspace" | "ledger" | "target" | "options" | "control">,
    checked: Checked,
    loader: ItemLoader,
    { planner, media, state }: Pick<ItemWriters, "planner" | "media" | "state">,
  ) {
    this.#job = job;
    this.#checked = checked;
    this.#planner = planner;
    this.#state = state;
    this.#media = media;
    this.#loader = loader;
  }

  counts(): Pick<LoadSummary, "failed" | "adopted" | "heldBack" | "privateThere"> {
    return {
      failed: this.#failed.size,
      adopted: this.#adopted,
      heldBack: [...this.#heldBack],
      privateThere: [...this.#private].sort(),
    };
  }

  /** Is each item that moves complete on the target, and did nothing of this run fail? */
  isAllDone(): boolean {
    const { categories, wikis, guides, translations, mapped } = this.#checked.map;
    if (this.#failed.size + this.#heldBack.size + this.#adopted + mapped.size > 0) return false;
    return [categories, wikis, guides, translations].flat().every((key) => this.#state.isComplete(key));
  }

  leaveOut(unresolved: ReadonlyMap<Key, unknown>): void {
    for (const [key, error] of unresolved) this.#fail(key, error);
  }

  countUnsent(): void {
    for (const [key, error] of this.#state.partFailures()) this.#note(key, error);
  }

  readonly each = (keys: readonly Key[], work: (key: Key) => Promise<void>): Promise<void> =>
    this.#each("publish", keys, work);

  async create(): Promise<void> {
    const media = await failedMedia(this.#job);
    await this.#each("load", media, (key) => this.#media.resend(key));
    const { categories, wikis, guides, needs } = this.#checked.map;
    await this.#expectNew("load", [...categories, ...wikis, ...guides]);
    for (const wave of [...waves(categories, needs), wikis, ...waves(guides, needs)])
      await this.#phase("load", wave, ["main"]);
  }

  async translate(): Promise<void> {
    const keys = await toTranslate(this.#job, this.#checked, this.#planner);
    await this.#expectNew("load", keys);
    await this.#phase("load", keys, ["main"]);
  }

  async repair(): Promise<void> {
    await this.#phase("repair", this.#state.takeReopened(), ["main"]);
    const repairable = await this.#job.ledger.repairable();
    this.#expect("repair", repairable.length, repairable.length);
    await this.#each("repair", repairable, (key) => this.#loader.repair(key));
  }

  /** A guide is published as soon as it is finished. */
  async publish(): Promise<void> {
    const { categories, wikis, guides } = this.#checked.map;
    const pages = [...categories, ...wikis];
    const open = [...pages, ...guides].filter((key) => !this.#state.isComplete(key)).length;
    this.#expect("publish", pages.length + guides.length, open);
    await this.#phase("publish", pages, ["finish"]);
    await this.#phase("publish", guides, ["finish", "publish"]);
  }

  async showAgain(): Promise<void> {
    await this.#phase("publish", this.#state.hidden(), ["publish"]);
    for (const key of await stillHidden(this.#job.ledger, this.#state.hidden())) this.#heldBack.add(key);
  }

  #expect(stage: Stage, total: number, sure: number): void {
    this.#progress.set(stage, { done: 0, total, skipped: 0, sure });
  }

  async #expectNew(stage: Stage, keys: readonly Key[]): Promise<void> {
    let sure = 0;
    for (const key of keys) if ((await this.#job.ledger.idOf(key)) === undefined) sure += 1;
    this.#expect(stage, keys.length, sure);
  }

  async #phase(stage: Stage, keys: readonly Key[], phases: readonly Phase[]): Promise<void> {
    await this.#each(stage, keys, async (key) => {
      const outcome = await this.#loader.load(key, phases);
      this.#adopted += outcome.adopted ? 1 : 0;
      if (outcome.heldBack) this.#heldBack.add(key);
      if (outcome.isPrivate) this.#private.add(key);
      else if (phases.includes("publish")) this.#private.delete(key);
      return outcome.worked;
    });
  }

  /** `work` returns false where there was nothing to do. */
  async #each(stage: Stage, keys: readonly Key[], work: (key: Key) => Promise<unknown>): Promise<void> {
    const { control, workspace } = this.#job;
    const progress = this.#progress.get(stage) ?? { done: 0, total: keys.length, skipped: 0, sure: keys.length };
    const finished = (key: Key, worked: boolean, duration = 0): void => {
      progress.done += 1;
      if (!worked) progress.skipped += 1;
      const counts = countOf(progress);
      // A stopped run may have written an item without publishing it.
      if (stage === "load" && !this.#state.isComplete(key)) this.#unpublished += 1;
      const later = this.#unpublished + (counts.toDo ?? 0);
      const follows = stage === "load" ? { follows: { publish: later, verify: later } } : {};
      control.progress({ stage, ...counts, ...follows, key, duration, failed: this.#failed.size });
    };
    await parallel(keys, itemsAtWork(control.concurrency), async (key) => {
      // Reported too, so that the stage reaches its total.
      if (this.#failed.has(key)) return finished(key, false);
      let worked = true;
      const duration = stopwatch();
      try {
        worked = (await work(key)) !== false;
        workspace.failures.clear("load", key);
        control.breaker.success();
      } catch (error) {
        this.#fail(key, error);
      } finally {
        workspace.runs.beat();
        finished(key, worked, duration());
      }
    });
  }

  /** Only a person, the circuit breaker or a failed sign-in stops the run. */
  #fail(key: Key, error: unknown): void {
    const { control } = this.#job;
    if (control.abort.aborted || error instanceof StoppedError || error instanceof SignInError) throw error;
    this.#note(key, error);
    control.breaker.failure(error);
  }

  #note(key: Key, error: unknown): void {
    const { workspace } = this.#job;
    const reason = messageOf(error);
    this.#failed.add(key);
    workspace.failures.add("load", key, reason, remedyAt("target", error));
  }
}

export type { LoadParts } from "./load-job.js";

const SAMPLE = 5;

/** Throws SafetyLimitError at an emptied target, where the ledger would say that all is done. */
async function refuseEmptied({
  ledger,
  target,
  survey,
  control,
}: Pick<LoadJob, "ledger" | "target" | "survey" | "control">): Promise<void> {
  const sample = await ledger.sample(SAMPLE);
  for (const { key, id } of sample) if (await target.holds(key, id, control.abort)) return;
  if (sample.length === 0) return;
  throw new SafetyLimitError(
    `None of ${sample.length} items that earlier runs created at ${survey.identity.root} still exists (${sample.map(({ key, id }) => `${key} as ${id}`).join(", ")}). ` +
      "The site was emptied or replaced. Nothing was written. To load into this site again, use a new workspace.",
  );
}
