import { StoppedError } from "../core/errors.js";
import type { ExtractRun } from "./extract-run.js";

const RESUME = "Everything done so far is kept. Run the same command again: it goes on from here.";

/** The error that a run ends with when it was asked to stop. */
export function stopped({ counters }: Pick<ExtractRun, "counters">, cause?: unknown): StoppedError {
  const { finished, planned } = counters;
  const where = planned === 0 ? "while the lists were read" : `after ${finished} of ${planned} new or changed items`;
  return new StoppedError(`The extract was stopped ${where}. ${RESUME}`, cause === undefined ? {} : { cause });
}

export function throwIfStopped(run: ExtractRun): void {
  if (run.control.stop.aborted) throw stopped(run);
}

/** The inputs until the run is asked to stop. */
export function* untilStopped<T>(run: ExtractRun, inputs: Iterable<T>): Generator<T> {
  for (const input of inputs) {
    if (run.control.stop.aborted) return;
    yield input;
  }
}
