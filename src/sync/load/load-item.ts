import type { Ledger } from "../../core/contracts.js";
import type { Issue } from "../../core/model/issue.js";
import type { Item } from "../../core/model/item.js";
import { type Key, languageIn } from "../../core/model/key.js";
import type { Loaded, Operation, OperationOutcome, OperationState, Phase, Receipt } from "../../core/writing.js";
import { DeletedError } from "../../service/target/write-errors.js";
import { throwIfStopped } from "../control.js";
import { type Checked, type IssueJob, itemIssues } from "./check.js";
import { type Hiding, hideFirst, hidingOf } from "./hide.js";
import type { ItemPlanner, PlannedPiece } from "./item-planner.js";
import type { LoadJob } from "./load-job.js";
import type { LoadState } from "./load-state.js";
import { hasOutcome, isDone, type OperationWriter } from "./perform.js";
import type { Recreation } from "./recreate.js";
import type { RefusedSteps } from "./refused-step.js";
import type { MediaWriter } from "./send-media.js";

interface ItemOutcome {
  readonly adopted: boolean;
  readonly heldBack: boolean;
  readonly isPrivate: boolean;
  readonly worked: boolean;
}

const PHASES: readonly Phase[] = ["main", "finish", "publish"];
/** Within one phase of an item. */
const MOST_RECREATIONS = 3;

export interface ItemWriters {
  readonly planner: ItemPlanner;
  readonly writer: OperationWriter;
  readonly media: MediaWriter;
  readonly refusedSteps: RefusedSteps;
  readonly recreation: Recreation;
  readonly state: LoadState;
}

type ItemJob = Pick<LoadJob, "ledger" | "target" | "options" | "control" | "onWritten"> & IssueJob;

export class ItemLoader {
  readonly #job: ItemJob;
  readonly #checked: Checked;
  readonly #planner: ItemPlanner;
  readonly #writer: OperationWriter;
  readonly #media: MediaWriter;
  readonly #refusedSteps: RefusedSteps;
  readonly #recreation: Recreation;
  readonly #state: LoadState;

  constructor(job: ItemJob, checked: Checked, writers: ItemWriters) {
    this.#job = job;
    this.#checked = checked;
    this.#planner = writers.planner;
    this.#writer = writers.writer;
    this.#media = writers.media;
    this.#refusedSteps = writers.refusedSteps;
    this.#recreation = writers.recreation;
    this.#state = writers.state;
  }

  /**
   * Carries out the open operations of phases, in order. Throws at the first write that fails.
   * Recreates what somebody deleted on the target; a step only under `--on-conflict update`.
   */
  async load(key: Key, phases: readonly Phase[]): Promise<ItemOutcome> {
    let now = phases;
    for (let times = 0; ; times += 1) {
      try {
        return await this.#inPhases(key, now);
      } catch (error) {
        const isRecreated = error instanceof DeletedError && this.#isRecreated(error);
        if (!isRecreated || times === MOST_RECREATIONS) throw error;
        await this.#recreation.recreate(key, error.key);
        now = PHASES.slice(0, Math.max(...phases.map((phase) => PHASES.indexOf(phase))) + 1);
      }
    }
  }

  async #inPhases(key: Key, phases: readonly Phase[]): Promise<ItemOutcome> {
    let outcome = NOTHING;
    let last: readonly PlannedPiece[] | undefined;
    let isStale = false;
    for (const phase of phases) {
      if (phase !== "main" && this.#state.isComplete(key)) continue;
      // In the first phase, main, the writes of a piece can change the plan of the next one.
      if (phase !== "main" && last === undefined) last = await this.#allPieces(key);
      else if (last !== undefined && isStale) last = await this.#plannedAgain(last);
      const found = await this.#inPhase(key, phase, last ?? this.#planner.planned(key));
      isStale = found.worked;
      outcome = combined(outcome, found);
    }
    if (last === undefined) return outcome;
    const now = isStale ? await this.#plannedAgain(last) : last;
    if (now.every(({ operations, loaded }) => operations.every((operation) => isDone(operation, loaded))))
      this.#state.markComplete(key);
    return outcome;
  }

  #isRecreated({ isDeleted }: DeletedError): boolean {
    return isDeleted || this.#job.options.onConflict === "update";
  }

  async #allPieces(key: Key): Promise<readonly PlannedPiece[]> {
    const pieces: PlannedPiece[] = [];
    for await (const piece of this.#planner.planned(key)) pieces.push(piece);
    return pieces;
  }

  /** The answers to writes change the plan. */
  async #plannedAgain(pieces: readonly PlannedPiece[]): Promise<readonly PlannedPiece[]> {
    const again: PlannedPiece[] = [];
    for (const piece of pieces) again.push({ ...piece, ...(await this.#planner.plan(piece.item)) });
    return again;
  }

  async #inPhase(
    key: Key,
    phase: Phase,
    pieces: AsyncIterable<PlannedPiece> | Iterable<PlannedPiece>,
  ): Promise<ItemOutcome> {
    if (phase === "main") this.#state.markIncomplete(key);
    const { ledger } = this.#job;
    let outcome = NOTHING;
    let complete = phase === "main";
    const isSent = this.#state.isSent(key);
    for await (const each of pieces) {
      const { loaded, operations } = each;
      if (phase === "main")
        await ledger.report(each.item.key, await itemIssues(this.#job, this.#checked, each, loaded));
      if (phase === "main") await closeUnplanned(ledger, operations, loaded);
      if (phase === "main") await this.#recreation.takeBack(each.item, loaded);
      if (
        phase === "publish" &&
        !operations.every(
          (operation) =>
            operation.phase === "publish" || isDoneOrSkipped(operation, loaded, isSent && operation.phase === "main"),
        )
      ) {
        const isPrivate = await notePrivate(ledger, each.item, operations, loaded);
        outcome = { ...outcome, heldBack: true, isPrivate };
        continue;
      }
      const todo = operations.filter((operation) => operation.phase === phase && !isDone(operation, loaded));
      if (todo.length > 0) this.#job.onWritten?.(key);
      outcome = { ...outcome, worked: outcome.worked || todo.length > 0 };
      complete &&= operations.every((operation) => isDone(operation, loaded));
      const hiding = hidingOf(this.#job, each.item.key, { operations, todo }, loaded);
      if (hiding !== undefined) await this.#hide(key, hiding);
      outcome = await this.#work({ item: each.item, operations: todo }, outcome);
      // The order of the steps is right only with the refused one.
      const isWhole = !this.#state.hasRefusedStep(each.item.key);
      if (phase === "main" && todo.length > 0 && !outcome.adopted && isWhole)
        outcome = await this.#workShown({ item: each.item, planned: operations }, outcome);
      // An adopted page is not written, so it has no losses.
      if (outcome.adopted) await ledger.report(key, []);
      // No later phase processes a complete guide.
      if (phase === "publish" || (phase === "main" && complete)) {
        const now = todo.length === 0 ? loaded : await ledger.loaded(each.item.key);
        outcome = { ...outcome, isPrivate: await notePrivate(ledger, each.item, operations, now) };
      }
    }
    if (phase === "main") this.#state.markSent(key);
    if (complete) {
      this.#state.markComplete(key);
      // Kept until now: a run that was killed in between reported nothing.
      await ledger.forgetNotes(key, "recreated");
    }
    return outcome;
  }

  /**
   * The answer to a write may show unknown changes, such as moved steps. The operations that follow
   * from it are carried out before the item is published.
   */
  async #workShown(
    { item, planned }: { readonly item: Item; readonly planned: readonly Operation[] },
    before: ItemOutcome,
  ): Promise<ItemOutcome> {
    const known = new Set(planned.map(({ id }) => id));
    const { operations: now } = await this.#planner.plan(item);
    const shown = now.filter(({ id, phase }) => phase === "main" && !known.has(id));
    return this.#work({ item, operations: shown }, before);
  }

  async repair(key: Key): Promise<void> {
    try {
      await this.#repairOnce(key);
    } catch (error) {
      if (!(error instanceof DeletedError) || !this.#isRecreated(error)) throw error;
      await this.#recreation.recreate(key, error.key);
      // After the last repairs no phase follows that would do this.
      await this.load(key, PHASES);
    }
  }

  async #repairOnce(key: Key): Promise<void> {
    for await (const { item, loaded, operations } of this.#planner.planned(key)) {
      const todo: Operation[] = [];
      for (const operation of operations)
        if (await isRepairable(this.#job.ledger, loaded.operations.get(operation.id))) todo.push(operation);
      if (todo.length > 0) this.#job.onWritten?.(key);
      const hiding = hidingOf(this.#job, item.key, { operations, todo }, loaded);
      if (hiding !== undefined) await this.#hide(key, hiding);
      await this.#work({ item, operations: todo }, NOTHING);
    }
  }

  async #hide(key: Key, hiding: Hiding): Promise<void> {
    await hideFirst(this.#job, this.#writer, this.#state, key, hiding);
  }

  async #work(
    { item, operations }: { readonly item: Item; readonly operations: readonly Operation[] },
    before: ItemOutcome,
  ): Promise<ItemOutcome> {
    let outcome = before;
    for (const operation of operations) {
      throwIfStopped(this.#job.control);
      await this.#writer.refuseUnplanned(operation);
      const receipt = await this.#withItsMedia(operation).catch((error: unknown) =>
        this.#refusedSteps.replace(item, operation, error),
      );
      const adopted = receipt?.written[0]?.adopted === true;
      outcome = { ...outcome, adopted: outcome.adopted || adopted };
      // An adopted page keeps its tags, parent and flags.
      if (adopted) return outcome;
    }
    return outcome;
  }

  /** An operation that only links to an existing item needs no media. */
  async #withItsMedia(operation: Operation): Promise<Receipt> {
    const links = operation.needs.length > 0 && (await this.#writer.onlyLinks(operation));
    if (!links) await this.#media.sendFor(operation);
    const receipt = await this.#writer.perform(operation);
    const [written] = receipt.written;
    if (!links || written === undefined || written.adopted) return receipt;
    // Somebody removed it since then, so it was created without its media.
    await this.#media.sendFor(operation);
    return this.#writer.perform(operation);
  }
}

const NOTHING: ItemOutcome = { adopted: false, heldBack: false, isPrivate: false, worked: false };

function combined(one: ItemOutcome, other: ItemOutcome): ItemOutcome {
  return {
    adopted: one.adopted || other.adopted,
    heldBack: one.heldBack || other.heldBack,
    isPrivate: one.isPrivate || other.isPrivate,
    worked: one.worked || other.worked,
  };
}

/** Closes failed operations that are no longer planned: they would count as failed for ever. */
async function closeUnplanned(ledger: Ledger, operations: readonly Operation[], loaded: Loaded): Promise<void> {
  const planned = new Set(operations.map((operation) => operation.id));
  const states = [...loaded.operations.values()];
  const unwanted = states.filter(({ id, state }) => state === "failed" && !planned.has(id));
  if (unwanted.length > 0) await ledger.close(unwanted.map(({ id }) => id));
}

async function isRepairable(ledger: Ledger, state: OperationState | undefined): Promise<boolean> {
  if (state?.state !== "done") return false;
  for (const key of state.missing) if ((await ledger.idOf(key)) !== undefined) return true;
  return false;
}

/** Done, or skipped because of a remote edit or an existing page. */
function isDoneOrSkipped(operation: Operation, loaded: Loaded, isCurrent: boolean): boolean {
  const has = (outcome: OperationOutcome): boolean => hasOutcome(operation, loaded, outcome, isCurrent);
  return has("skipped") || has("adopted") || isDone(operation, loaded, isCurrent);
}

/**
 * Reports a guide that is public at the source and private on the target, until it is public.
 * | @param operations all operations of the guide
 * @param loaded the current ledger entries of the guide
 */
async function notePrivate(
  ledger: Ledger,
  item: Item,
  operations: readonly Operation[],
  loaded: Loaded,
): Promise<boolean> {
  if (item.kind !== "guide" || languageIn(item.key) !== undefined) return false;
  const guide = loaded.written.get(item.key);
  const isPrivate = guide !== undefined && item.body.public && guide.facts["public"] !== true;
  const issues = (): readonly Issue[] => {
    const { message, remedy } = REASONS[guide?.adopted === true ? "adopted" : reasonOf(loaded, operations)];
    return [{ code: "private-at-target", level: "loss", key: item.key, path: "public", message, remedy }];
  };
  await ledger.report(item.key, isPrivate ? issues() : [], { kind: "private", of: item.key });
  return isPrivate;
}

type Reason = "adopted" | "conflict" | "held back";

const REASONS: Readonly<Record<Reason, { readonly message: string; readonly remedy: string }>> = {
  adopted: {
    message:
      "It is public at the source and private on the target. It existed on the target before the first load, and --on-existing adopt does not change it.",
    remedy: "Publish it by hand, or run again with --on-existing update to overwrite it with the source's version.",
  },
  conflict: {
    message:
      "It is public at the source and private on the target. Somebody changed it there since guideferry last wrote it, so it was not published.",
    remedy:
      "Run again with --on-conflict update to overwrite it with the source's version and publish it, or publish it by hand.",
  },
  "held back": {
    message: "It is public at the source and private on the target. A part of it is missing, so it was not published.",
    remedy: "Correct what is listed as failed, then run the same command again.",
  },
};

function reasonOf(loaded: Loaded, operations: readonly Operation[]): Exclude<Reason, "adopted"> {
  const isFailed = operations.some(({ id }) => loaded.operations.get(id)?.state === "failed");
  if (isFailed) return "held back";
  const isConflict = operations.some(
    (each) => hasOutcome(each, loaded, "skipped") || (each.call.verb === "set-visibility" && isDone(each, loaded)),
  );
  return isConflict ? "conflict" : "held back";
}

export async function closeFailures({ ledger, workspace }: Pick<LoadJob, "ledger" | "workspace">): Promise<void> {
  for (const state of await ledger.failures()) {
    const entry = workspace.items.entry(state.item);
    if (entry !== undefined && entry.state !== "gone") continue;
    await ledger.close([state.id]);
    workspace.failures.clear("load", state.item);
  }
}
