import { setTimeout as wait } from "node:timers/promises";
import type { Context } from "../../core/contracts.js";
import {
  ConflictError,
  ConnectionError,
  EXIT,
  FerryError,
  messageOf,
  SignInError,
  StatusError,
} from "../../core/errors.js";
import { type Call, creates, factsOf, resultOf } from "../../core/model/call.js";
import type { Issue } from "../../core/model/issue.js";
import { type Key, kindOf } from "../../core/model/key.js";
import { KeyedMutex } from "../../core/util/concurrency.js";
import type { Loaded, Mark, Operation, OperationOutcome, Receipt } from "../../core/writing.js";
import { shownTexts } from "../../service/target/merge.js";
import { DeletedError } from "../../service/target/write-errors.js";
import type { LoadJob } from "./load-job.js";
import type { LoadState } from "./load-state.js";
import type { SharedContext } from "./write-context.js";

/** Carries out operations and records each in the ledger. One for each run. */
export class OperationWriter {
  readonly #job: Pick<LoadJob, "target" | "ledger" | "control" | "options">;
  readonly #context: SharedContext;
  readonly #state: LoadState;
  /** `find` could confuse these creates with each other, so they run one at a time. */
  readonly #mutex = new KeyedMutex();

  constructor(
    job: Pick<LoadJob, "target" | "ledger" | "control" | "options">,
    context: SharedContext,
    state: LoadState,
  ) {
    this.#job = job;
    this.#context = context;
    this.#state = state;
  }

  /** Carries out one operation and records it. Records a failure too, and throws it. */
  async perform(operation: Operation): Promise<Receipt> {
    const { ledger, options, control } = this.#job;
    const create: Create = { mark: undefined };
    try {
      return await this.#mutex.run(factsOf(operation.call).twin?.(operation.call) ?? operation.id, async () => {
        const receipt = await this.#applyOrFind(operation, create);
        await ledger.done(operation, receipt);
        await this.#noteDiverged(operation, receipt);
        return receipt;
      });
    } catch (error) {
      const { onConflict } = options;
      const isSkipped = error instanceof ConflictError && (onConflict === "skip" || onConflict === "merge");
      // An item that somebody deleted is recreated under every policy.
      if (isSkipped && !(error instanceof DeletedError && error.isDeleted)) return this.#leave(operation, error);
      // A create with an unknown outcome stays begun: the next run looks for it first.
      if (create.mark === undefined && !control.abort.aborted) await ledger.failed(operation, messageOf(error));
      throw error;
    }
  }

  /** Throws FerryError when a plan is applied that does not contain the write. */
  async refuseUnplanned(operation: Operation): Promise<void> {
    const { options, ledger } = this.#job;
    if (options.allowed === undefined) return;
    // A planned edit does not permit the recreation of what somebody deleted since then.
    const { written } = await ledger.loaded(operation.item);
    if (
      options.allowed(
        operation,
        creates(operation.call, (key) => written.has(key)),
      )
    )
      return;
    throw new FerryError(
      `${operation.label}: the plan does not contain this write, so it was not sent. The source or the target changed while the plan was applied. Make a new plan and review it.`,
      { exitCode: EXIT.someFailed },
    );
  }

  onlyLinks(operation: Operation): Promise<boolean> {
    const { target, control } = this.#job;
    return target.onlyLinks(operation, this.#context, control.abort);
  }

  /** The caller records the deletion in the ledger, after it has reopened the referrers. */
  async delete(operation: Operation): Promise<Receipt> {
    const { target, ledger, control } = this.#job;
    await this.refuseUnplanned(operation);
    const begin: Context["begin"] = () => Promise.resolve();
    const keep: Context["keep"] = (thing, found, sent) => ledger.keep(operation.item, thing, found, sent);
    return target.apply(operation, { ...this.#context, begin, keep }, control.abort);
  }

  async #applyOrFind(operation: Operation, create: Create): Promise<Receipt> {
    const { target, ledger, control, options } = this.#job;
    const begin = async (given: Mark): Promise<void> => {
      // The mark contains the operation, since after a crash it may no longer be planned and must
      // be found all the same.
      const mark = { ...given, operation };
      await ledger.begin(operation, mark);
      create.mark = mark;
    };
    const keep: Context["keep"] = (thing, found, sent) => ledger.keep(operation.item, thing, found, sent);
    const wasSkipped = async (): Promise<boolean> => (await ledger.outcome(operation.id)) === "skipped";
    const context = { ...this.#context, begin, keep, wasSkipped };
    for (let tries = 1; ; tries += 1) {
      try {
        return await target.apply(operation, context, control.abort);
      } catch (error) {
        if (isRefusal(error)) create.mark = undefined;
        if (create.mark === undefined || control.abort.aborted) throw error;
        const found = await target.find(operation, create.mark, context, control.abort);
        if (found !== undefined) return found;
        create.mark = undefined;
        if (tries === TRIES || !mayBeDone(error)) throw error;
        await wait((options.pause ?? pauseWithJitter)(tries), undefined, { signal: control.abort });
      }
    }
  }

  /**
   * Reports what a merge kept of a remote edit. It is a note of the thing and not an issue of the
   * operation, since any later write of the thing may find or end it. It is deleted with a thing
   * that is recreated.
   */
  async #noteDiverged({ item }: Operation, { written, apart }: Receipt): Promise<void> {
    const [thing] = written;
    if (thing === undefined || (apart === undefined && !this.#state.isRecreated(item))) return;
    const issues = (apart ?? []).map((issue) => ({ ...issue, key: item }));
    await this.#job.ledger.report(item, issues, { kind: "diverged", of: thing.key });
  }

  async #leave(operation: Operation, error: ConflictError): Promise<Receipt> {
    const isMerge = this.#job.options.onConflict === "merge";
    const texts = isMerge ? error.texts : undefined;
    const issue: Issue = {
      code: isMerge ? "merge-clash" : "conflict-skipped",
      level: "loss",
      key: operation.item,
      path: error instanceof DeletedError ? deletedPath(error.key) : conflictPath(operation.call),
      message: texts === undefined ? error.message : `${error.message} ${shownTexts(texts)}`,
      remedy: "Run again with --on-conflict update to overwrite it with the source's version.",
      ...(texts === undefined ? {} : { texts }),
    };
    const receipt: Receipt = { written: [], missing: [], issues: [issue], open: true };
    await this.#job.ledger.done(operation, receipt);
    return receipt;
  }
}

interface Create {
  mark: Mark | undefined;
}

/** Tries of a create whose answer was lost and that `find` does not find. */
const TRIES = 6;
/** Milliseconds. */
const FIRST_PAUSE = 500;

const pauseWithJitter = (tries: number): number => FIRST_PAUSE * 2 ** (tries - 1) * (0.5 + Math.random());

/** Nothing was created. A failure after the answer is an AnsweredError, which is no refusal. */
function isRefusal(error: unknown): boolean {
  if (error instanceof StatusError) return error.status < 500;
  return (
    error instanceof ConflictError || error instanceof SignInError || (error instanceof ConnectionError && error.unsent)
  );
}

function mayBeDone(error: unknown): boolean {
  if (error instanceof ConnectionError) return !error.unsent;
  return error instanceof StatusError && error.status >= 500;
}

/** `isCurrent`: this run compared the hash already, or wrote it. Default: no. */
export function hasOutcome(
  operation: Operation,
  { operations }: Loaded,
  outcome: OperationOutcome,
  isCurrent = false,
): boolean {
  const state = operations.get(operation.id);
  return state !== undefined && state.outcome === outcome && (isCurrent || state.hash === operation.hash);
}

/** Was exactly this operation done, and is its result still in the ledger? */
export function isDone(operation: Operation, loaded: Loaded, isCurrent = false): boolean {
  return hasOutcome(operation, loaded, "written", isCurrent) && hasResult(operation, loaded);
}

function hasResult({ call }: Operation, loaded: Loaded): boolean {
  const result = resultOf(call);
  return result === undefined || loaded.written.has(result);
}

/** A conflict of a guide's fields does not concern its steps. */
function conflictPath(call: Call): string {
  const { conflict = "" } = factsOf(call);
  return typeof conflict === "string" ? conflict : conflict(call);
}

function deletedPath(key: Key): string {
  return kindOf(key) === "step" ? key : "";
}
