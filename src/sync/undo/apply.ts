import type { Context, Operation, Receipt } from "../../core/contracts.js";
import { ConnectionError, StatusError } from "../../core/errors.js";
import type { Call, CallOf } from "../../core/model/call.js";
import type { Key } from "../../core/model/key.js";
import type { UndoJob } from "./undo-job.js";

/** Sends one write of the undo. What it makes anew is noted first, and looked for when the answer is lost. */
export async function apply(job: UndoJob, item: Key, thing: string, call: Call): Promise<Receipt> {
  const { target, past, context, control } = job;
  const operation = operationOf(job, item, thing, call);
  let mark: Parameters<Context["begin"]>[0] | undefined;
  const begin: Context["begin"] = async (given) => {
    const whole = { ...given, operation };
    await past.ledger.begin(operation, whole);
    mark = whole;
  };
  const all: Context = { ...context, begin, keep: () => Promise.resolve() };
  try {
    const receipt = await target.apply(operation, all, control.abort);
    if (mark !== undefined) await past.ledger.done(operation, receipt);
    return receipt;
  } catch (error) {
    if (mark === undefined || control.abort.aborted || isRefusal(error)) {
      // Of an aborted create nobody knows: it stays begun, and is looked for first.
      if (mark !== undefined && !control.abort.aborted) await past.ledger.failed(operation, String(error));
      throw error;
    }
    const found = await target.find(operation, mark, all, control.abort);
    if (found === undefined) {
      await past.ledger.failed(operation, String(error));
      throw error;
    }
    await past.ledger.done(operation, found);
    return found;
  }
}

/** A load's own id for what it makes: what an undo makes anew stands in its place. */
function operationOf({ run }: UndoJob, item: Key, thing: string, call: Call): Operation {
  return {
    id: thing === item ? item : `${item}/${thing}`,
    item,
    label: thing === item ? item : `${item}, ${thing}`,
    hash: `undo of ${run.id}`,
    phase: "main",
    needs: [],
    call,
  };
}

/** The site said no, or never heard of it: it surely did nothing. */
function isRefusal(error: unknown): boolean {
  if (error instanceof StatusError) return error.status < 500;
  return error instanceof ConnectionError && error.unsent;
}

export type PutBackCall = CallOf<"put-back">;
