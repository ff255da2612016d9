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
import { type Call, creates, factsOf } from "../../core/model/call.js";
import type { Issue } from "../../core/model/issue.js";
import { type Key, kindOf } from "../../core/model/key.js";
import { KeyedMutex } from "../../core/util/concurrency.js";
import type { Loaded, Mark, Operation, OperationOutcome, Receipt } from "../../core/writing.js";
import { shownTexts } from "../../service/target/merge.js";
import { DeletedError } from "../../service/target/write-errors.js";
import type { LoadJob, LoadState } from "./load-state.js";
import type { SharedContext } from "./write-context.js";

/** Carries out operations and notes each in the ledger. One for each run. */
export class OperationWriter {
  readonly #job: Pick<LoadJob, "target" | "ledger" | "control" | "options">;
  readonly #context: SharedContext;
  readonly #state: LoadState;
  /** Creates that `find` could take for one another run one at a time. */
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

  /**
   * Carries out one operation and writes it into the ledger. Throws what stopped it, after writing
   * that down too.
   */
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
      const isLeft = error instanceof ConflictError && (onConflict === "skip" || onConflict === "merge");
      // What somebody deleted as a whole is made anew, whatever becomes of edits.
      if (isLeft && !(error instanceof DeletedError && error.isDeleted)) return this.#leave(operation, error);
      // As long as a create may have been made, it stays begun: the next run looks for it before it
      // makes anything.
      if (create.mark === undefined && !control.abort.aborted) await ledger.failed(operation, messageOf(error));
      throw error;
    }
  }

  /**
   * Throws when a plan is carried out that does not hold the write: something came up since it was
   * made, and nobody has agreed to it.
   */
  async refuseUnplanned(operation: Operation): Promise<void> {
    const { options, ledger } = this.#job;
    if (options.allowed === undefined) return;
    // An edit that is planned is no leave to create again what somebody deleted meanwhile.
    const { written } = await ledger.loaded(operation.item);
    if (
      options.allowed(
        operation,
        creates(operation.call, (key) => written.has(key)),
      )
    )
      return;
    throw new FerryError(
      `${operation.label}: the plan does not hold this write, so it was not sent. Something moved while the plan was carried out. Make a new plan and look at it.`,
      { exitCode: EXIT.someFailed },
    );
  }

  /** Will the write find its thing at the target, and only link to it? */
  onlyLinks(operation: Operation): Promise<boolean> {
    const { target, control } = this.#job;
    return target.onlyLinks(operation, this.#context, control.abort);
  }

  /**
   * Deletes a thing. The caller notes it in the ledger, after it has opened what refers to the
   * thing.
   */
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
      // The operation goes along: after a crash it may be planned no more, and its work must be
      // found all the same.
      const mark = { ...given, operation };
      await ledger.begin(operation, mark);
      create.mark = mark;
    };
    const keep: Context["keep"] = (thing, found, sent) => ledger.keep(operation.item, thing, found, sent);
    const wasSkipped = async (): Promise<boolean> => {
      const { operations } = await ledger.loaded(operation.item);
      return operations.get(operation.id)?.outcome === "skipped";
    };
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
   * A note of the thing and not an issue of the operation, since any write of the thing may be the
   * one that finds or ends it. What diverged in something that is made anew went with it.
   */
  async #noteDiverged({ item }: Operation, { written, apart }: Receipt): Promise<void> {
    const [thing] = written;
    if (thing === undefined || (apart === undefined && !this.#state.isRecreated(item))) return;
    const issues = (apart ?? []).map((issue) => ({ ...issue, key: item }));
    await this.#job.ledger.report(item, issues, { kind: "diverged", of: thing.key });
  }

  /** Left as somebody else has it, and listed. */
  async #leave(operation: Operation, error: ConflictError): Promise<Receipt> {
    const isMerge = this.#job.options.onConflict === "merge";
    const texts = isMerge ? error.texts : undefined;
    const issue: Issue = {
      code: isMerge ? "merge-clash" : "conflict-skipped",
      level: "loss",
      key: operation.item,
      path: error instanceof DeletedError ? gonePath(error.key) : conflictPath(operation.call),
      message: texts === undefined ? error.message : `${error.message} ${shownTexts(texts)}`,
      remedy: "Run again with --on-conflict update to put the source's version over it.",
      ...(texts === undefined ? {} : { texts }),
    };
    const receipt: Receipt = { written: [], missing: [], issues: [issue], open: true };
    await this.#job.ledger.done(operation, receipt);
    return receipt;
  }
}

/**
 * A create at work: its mark stands from before it is sent until it is sure that the site did
 * nothing, or what it did.
 */
interface Create {
  mark: Mark | undefined;
}

/** Tries of a create whose answer got lost and that `find` says was not made. */
const TRIES = 6;
const FIRST_PAUSE = 500;

const pauseWithJitter = (tries: number): number => FIRST_PAUSE * 2 ** (tries - 1) * (0.5 + Math.random());

/**
 * The site said no, or never heard of it: it surely did nothing. What fails after the answer to a
 * create comes as an AnsweredError and says nothing of the kind.
 */
function isRefusal(error: unknown): boolean {
  if (error instanceof StatusError) return error.status < 500;
  return (
    error instanceof ConflictError || error instanceof SignInError || (error instanceof ConnectionError && error.unsent)
  );
}

/**
 * No answer, or one that says nothing of what was done (5xx): the site may have made it all the
 * same.
 */
function mayBeDone(error: unknown): boolean {
  if (error instanceof ConnectionError) return !error.unsent;
  return error instanceof StatusError && error.status >= 500;
}

/** Did exactly this operation come to that? */
export function hasOutcome({ id, hash }: Operation, { operations }: Loaded, outcome: OperationOutcome): boolean {
  const state = operations.get(id);
  return state !== undefined && state.outcome === outcome && state.hash === hash;
}

/**
 * What stays as somebody else left it: a conflict of a guide's fields says nothing of its steps.
 */
function conflictPath(call: Call): string {
  const { conflict = "" } = factsOf(call);
  return typeof conflict === "string" ? conflict : conflict(call);
}

/** A step is named by its key, everything else is the item itself. */
function gonePath(key: Key): string {
  return kindOf(key) === "step" ? key : "";
}
