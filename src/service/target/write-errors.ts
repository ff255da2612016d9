import { type ClashTexts, ConflictError, EXIT, FerryError, messageOf, StatusError } from "../../core/errors.js";
import { type Key, kindOf } from "../../core/model/key.js";
import type { Work } from "./context.js";
import { pathOf } from "./identity.js";

export class DeletedError extends ConflictError {
  readonly key: Key;
  /** A deleted guide or page can be recreated. A missing step is a part of its guide. */
  readonly isDeleted: boolean;
  /** The site forbids this account to read it, so it may still exist. */
  readonly isHidden: boolean;
  constructor(work: Work, key: Key, texts?: ClashTexts, isHidden = false) {
    const isStep = kindOf(key) === "step";
    const what = isHidden ? "deleted it or hid it from this account" : `deleted ${isStep ? "the step" : "it"}`;
    super(
      `${work.operation.label}: somebody ${what} at ${work.site.client.root} since guideferry created it, so it was not recreated. ` +
        "To recreate it, run again with --on-conflict update.",
      { current: null, ...(texts === undefined ? {} : { texts }) },
    );
    this.key = key;
    this.isHidden = isHidden;
    this.isDeleted = !isStep && !isHidden;
  }
}

/** A missing guide looks like a forbidden one on several calls (api-facts 11.15). */
const ABSENT: ReadonlySet<number> = new Set([403, 404]);

/** DeletedError if a read shows that the item is missing, else the refusal. */
export async function reasonOf(work: Work, key: Key, id: string, error: unknown): Promise<unknown> {
  if (!(error instanceof StatusError) || !ABSENT.has(error.status)) return error;
  // A step has no address of its own; the answer to its edit shows it.
  if (kindOf(key) === "step") return error.status === 404 ? new DeletedError(work, key) : error;
  const { status } = await work.site.client.get(pathOf(key, id), { expect: [...ABSENT] }, work.signal);
  return ABSENT.has(status) ? new DeletedError(work, key, undefined, status === 403) : error;
}

/** A create succeeded and a later request failed. The item exists, so only `find` may decide. */
export class AnsweredError extends FerryError {
  override readonly name = "AnsweredError";
}

/** Throws AnsweredError for any failure after the answer to a create. */
export async function afterAnswer<T>(label: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    const reason = messageOf(cause);
    const exitCode = cause instanceof FerryError ? cause.exitCode : EXIT.someFailed;
    throw new AnsweredError(
      `${label}: the site created it, but the requests after that failed: ${reason} Run the same command again: guideferry looks for the item first.`,
      { cause, exitCode },
    );
  }
}
