import { type ClashTexts, ConflictError, EXIT, FerryError, messageOf, StatusError } from "../../core/errors.js";
import { type Key, kindOf } from "../../core/model/key.js";
import type { Work } from "./context.js";
import { pathOf } from "./identity.js";

/**
 * What an edit was for is not at the target any more: somebody deleted it since we made it. A
 * conflict like any other.
 */
export class DeletedError extends ConflictError {
  readonly key: Key;
  /**
   * A whole guide or page that surely is not there: it is made anew. A step that is missing is an
   * edit of its guide.
   */
  readonly isDeleted: boolean;
  /** The site forbids this account to look, so that it may be there all the same. */
  readonly isHidden: boolean;
  constructor(work: Work, key: Key, texts?: ClashTexts, isHidden = false) {
    const isStep = kindOf(key) === "step";
    const what = isHidden ? "deleted it, or hid it from this account," : `deleted ${isStep ? "the step" : "it"}`;
    super(
      `${work.operation.label}: somebody ${what} at ${work.desk.client.root} since we made it, and it was left so. ` +
        "To make it anew, run again with --on-conflict update.",
      { current: null, ...(texts === undefined ? {} : { texts }) },
    );
    this.key = key;
    this.isHidden = isHidden;
    this.isDeleted = !isStep && !isHidden;
  }
}

/**
 * Answers that a thing gives that is not there: a missing guide looks like a forbidden one on
 * several calls (api-facts 11.15).
 */
const ABSENT: ReadonlySet<number> = new Set([403, 404]);

/**
 * What a refused write was refused for: a GoneError if the thing that it was for is not there any
 * more, else the refusal itself. Only a look tells, since 403 and 404 have other reasons too.
 */
export async function reasonOf(work: Work, key: Key, id: string, error: unknown): Promise<unknown> {
  if (!(error instanceof StatusError) || !ABSENT.has(error.status)) return error;
  // A step has no address of its own; it is told by the guide's answer to its edit.
  if (kindOf(key) === "step") return error.status === 404 ? new DeletedError(work, key) : error;
  const { status } = await work.desk.client.get(pathOf(key, id), { expect: [...ABSENT] }, work.signal);
  return ABSENT.has(status) ? new DeletedError(work, key, undefined, status === 403) : error;
}

/**
 * A create was answered, and what had to be asked after it failed. Whatever the cause says (a
 * refusal, an ended sign-in), the thing was made: only `find` may decide what is to be done.
 */
export class AnsweredError extends FerryError {
  override readonly name = "AnsweredError";
}

/**
 * Asks what has to be asked after the answer to a create. Throws AnsweredError for whatever goes
 * wrong.
 */
export async function afterAnswer<T>(label: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    const reason = messageOf(cause);
    const exitCode = cause instanceof FerryError ? cause.exitCode : EXIT.someFailed;
    throw new AnsweredError(
      `${label}: the site made it, but what had to be asked then failed: ${reason} Run the same command again: it is looked for first.`,
      { cause, exitCode },
    );
  }
}
