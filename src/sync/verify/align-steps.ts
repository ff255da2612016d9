import type { Guide, Step } from "../../core/model/guide.js";

/** Steps of a guide at the target, in the places that ours have. */
export interface Aligned {
  /** By our places; a hole where ours is not there any more. */
  readonly steps: readonly (Step | undefined)[];
  /** Our places in the order in which they stand there. */
  readonly order: readonly number[];
  /** How many others stand there. */
  readonly others: number;
}

/** Finds our steps by their ids at the target, so that one that is gone or added doesn't make all behind it look changed. */
export function alignSteps(ids: readonly (string | undefined)[], present: Guide["steps"]): Aligned {
  const byId = new Map(present.map((step) => [step.key.slice(step.key.indexOf("/") + 1), step]));
  const steps = ids.map((id) => (id === undefined ? undefined : byId.get(id)));
  const places = present.map((step) => steps.indexOf(step));
  return { steps, order: places.filter((place) => place >= 0), others: places.filter((place) => place < 0).length };
}
