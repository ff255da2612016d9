import { setTimeout as wait } from "node:timers/promises";
import type { Context, Loaded, Mark, Operation, OperationOutcome, Receipt } from "../../core/contracts.js";
import { ConflictError, ConnectionError, messageOf, SignInError, StatusError } from "../../core/errors.js";
import type { Call, Verb } from "../../core/model/call.js";
import type { Issue } from "../../core/model/issue.js";
import { type Key, kindOf } from "../../core/model/key.js";
import type { KeyedMutex } from "../../core/util/concurrency.js";
import { shownTexts } from "../../service/target/merge.js";
import { DeletedError } from "../../service/target/write-errors.js";
import type { LoadJob } from "./load-state.js";
import type { Referrers } from "./referrers.js";
import type { SharedContext } from "./write-context.js";

/** What performing needs beside the job. */
export interface Performer {
  readonly job: LoadJob;
  readonly context: SharedContext;
  /** Creates that `find` could take for one another run one at a time. */
  readonly mutex: KeyedMutex;
  /** Items that were opened again, since what they refer to is made anew with another id. */
  readonly again: Set<Key>;
  /**
   * Items of which everything, publication too, was done before this run: no later phase has to
   * look at them.
   */
  readonly complete: Set<Key>;
  /**
   * Media that could not be sent in this run, with the reason; null: the site takes none of the
   * kind.
   */
  readonly unsent: Map<Key, unknown>;
  /**
   * Guides with a step that the site refused in this run, and the last refusal: the rest of them
   * was sent.
   */
  readonly refusedSteps: Map<Key, unknown>;
  /** Asked when something is made anew with another id. */
  readonly referrers: Referrers;
  /** Items that somebody had deleted at the target, and that are made anew in this run. */
  readonly anew: Set<Key>;
  /** Items whose guides were made private in this run, for as long as they are changed. */
  readonly hidden: Set<Key>;
  /**
   * Items with a create of an earlier run that could not be looked for, each with the reason:
   * nothing of them is sent.
   */
  readonly unsettled: ReadonlyMap<Key, unknown>;
}

/**
 * Carries out one operation and writes it into the ledger. Throws what stopped it, after writing
 * that down too.
 */
export async function perform(performer: Performer, operation: Operation): Promise<Receipt> {
  const { job, mutex } = performer;
  const create: Create = { mark: undefined };
  try {
    return await mutex.run(fingerprint(operation), async () => {
      const receipt = await applyOrFind(performer, operation, create);
      await job.ledger.done(operation, receipt);
      await noteDiverged(performer, operation, receipt);
      return receipt;
    });
  } catch (error) {
    const { onConflict } = job.options;
    const isLeft = error instanceof ConflictError && (onConflict === "skip" || onConflict === "merge");
    // What somebody deleted as a whole is made anew, whatever becomes of edits.
    if (isLeft && !(error instanceof DeletedError && error.isDeleted)) return leave(performer, operation, error);
    // As long as a create may have been made, it stays begun: the next run looks for it before it
    // makes anything.
    if (create.mark === undefined && !job.control.abort.aborted) await job.ledger.failed(operation, messageOf(error));
    throw error;
  }
}

/**
 * A create at work: its mark stands from before it is sent until it is sure that the site did
 * nothing, or what it did.
 */
interface Create {
  mark: Mark | undefined;
}

/** Equal for creates that look alike at the target. */
function fingerprint(operation: Operation): string {
  const { call } = operation;
  if (call.verb === "save-guide") return `guide ${call.fields.title} in ${call.fields.category}`;
  if (call.verb === "upload") return `upload ${call.content.sha256}`;
  return operation.id;
}

/** Tries of a create whose answer got lost and that `find` says was not made. */
const TRIES = 6;
const FIRST_PAUSE = 500;

const pauseWithJitter = (tries: number): number => FIRST_PAUSE * 2 ** (tries - 1) * (0.5 + Math.random());

async function applyOrFind(performer: Performer, operation: Operation, create: Create): Promise<Receipt> {
  const { target, ledger, control, options } = performer.job;
  const begin = async (given: Mark): Promise<void> => {
    // The operation goes along: after a crash it may be planned no more, and its work must be found
    // all the same.
    const mark = { ...given, operation };
    await ledger.begin(operation, mark);
    create.mark = mark;
  };
  const keep: Context["keep"] = (thing, found, sent) => ledger.keep(operation.item, thing, found, sent);
  const wasLeft = async (): Promise<boolean> => {
    const { operations } = await ledger.loaded(operation.item);
    return operations.get(operation.id)?.outcome === "skipped";
  };
  const context = { ...performer.context, begin, keep, wasLeft };
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

/**
 * A note of the thing and not an issue of the operation, since any write of the thing may be the
 * one that finds or ends it. What diverged in something that is made anew went with it.
 */
async function noteDiverged({ job, anew }: Performer, { item }: Operation, receipt: Receipt): Promise<void> {
  const { written, apart } = receipt;
  const [thing] = written;
  if (thing === undefined || (apart === undefined && !anew.has(item))) return;
  const issues = (apart ?? []).map((issue) => ({ ...issue, key: item }));
  await job.ledger.report(item, issues, { kind: "diverged", of: thing.key });
}

/**
 * Path of a conflict that is about the fields of the thing itself, and not about steps, tags,
 * people and visibility.
 */
export const OWN_FIELDS = "fields";
/** The same of flags, author and page title. */
export const FINISH_FIELDS = "finish";
/** Of the steps only which there are and how they follow each other. */
export const STEP_ORDER = "steps.order";

/** Did exactly this operation come to that? */
export function hasOutcome({ id, hash }: Operation, { operations }: Loaded, outcome: OperationOutcome): boolean {
  const state = operations.get(id);
  return state !== undefined && state.outcome === outcome && state.hash === hash;
}

/** Left as somebody else has it, and listed. */
async function leave(performer: Performer, operation: Operation, error: ConflictError): Promise<Receipt> {
  const isMerge = performer.job.options.onConflict === "merge";
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
  await performer.job.ledger.done(operation, receipt);
  return receipt;
}

/**
 * What stays as somebody else left it, in the model's words: a conflict of a guide's fields says
 * nothing of its steps.
 */
function conflictPath(call: Call): string {
  if (call.verb === "save-step") return call.step.key;
  if (call.verb === "translate-step") return call.translated;
  if (call.verb === "delete-step") return "steps.others";
  return CONFLICT_PATHS[call.verb] ?? "";
}

/** A step is named by its key, everything else is the item itself. */
function gonePath(key: Key): string {
  return kindOf(key) === "step" ? key : "";
}

const CONFLICT_PATHS: Readonly<Partial<Record<Verb, string>>> = {
  "save-guide": OWN_FIELDS,
  "save-wiki": OWN_FIELDS,
  "order-steps": STEP_ORDER,
  "save-translation": "translations",
  "translate-guide": OWN_FIELDS,
  "set-parent": "parent",
  "set-visibility": "public",
  "finish-guide": FINISH_FIELDS,
  "finish-wiki": FINISH_FIELDS,
};
