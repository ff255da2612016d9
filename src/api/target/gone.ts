import { ConflictError, StatusError } from "../../errors.js";
import { type Key, kindOf } from "../../model/key.js";
import type { Work } from "./parts.js";
import { pathOf } from "./paths.js";

/** What an edit was for is not at the target any more: somebody deleted it since we made it. A conflict like any other. */
export class GoneError extends ConflictError {
  readonly key: Key;
  constructor(work: Work, key: Key) {
    super(
      `${work.operation.label}: somebody deleted ${kindOf(key) === "step" ? "the step" : "it"} at ${work.desk.client.root} since we made it, and it was left deleted. ` +
        "To make it anew, run again with --on-conflict update.",
      { current: null },
    );
    this.key = key;
  }
}

/** Answers that a thing gives that is not there: a missing guide looks like a forbidden one on several calls (api-facts 11.15). */
const ABSENT: ReadonlySet<number> = new Set([403, 404]);

/**
 * What a refused write was refused for: a GoneError if the thing that it was for is not there any more, else the refusal
 * itself. Only a look tells, since 403 and 404 have other reasons too.
 */
export async function reasonOf(work: Work, key: Key, id: string, error: unknown): Promise<unknown> {
  if (!(error instanceof StatusError) || !ABSENT.has(error.status)) return error;
  // A step has no address of its own; it is told by the guide's answer to its edit.
  if (kindOf(key) === "step") return error.status === 404 ? new GoneError(work, key) : error;
  const { status } = await work.desk.client.get(pathOf(key, id), { expect: [...ABSENT] }, work.signal);
  return ABSENT.has(status) ? new GoneError(work, key) : error;
}
