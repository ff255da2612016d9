import { FerryError, type StatusError } from "../../core/errors.js";
import type { PackageRow } from "../../core/training.js";
import { isRefusal, isUndone } from "./lost-answers.js";
import type { LossyCall, Trip } from "./trip.js";

/** What came of a call that must not be made twice. */
export type Attempt<Value> =
  | { readonly kind: "done"; readonly value: Value }
  | { readonly kind: "refused"; readonly error: StatusError }
  | { readonly kind: "lost" };

/**
 * Makes such a call once. `before`: the row to go back to when the site surely did nothing and the error is no word about this package;
 * then it is thrown. What is dropped in the middle leaves the row as it is: nobody knows.
 */
export async function attempt<Value>(
  trip: Trip,
  which: LossyCall,
  before: PackageRow,
  call: () => Promise<Value>,
): Promise<Attempt<Value>> {
  try {
    return { kind: "done", value: await call() };
  } catch (error) {
    if (trip.signal.aborted || !(error instanceof FerryError)) throw error;
    if (isRefusal(error)) return { kind: "refused", error };
    if (isUndone(error)) {
      await trip.put(before, {});
      throw error;
    }
    trip.lose(which, error);
    return { kind: "lost" };
  }
}
