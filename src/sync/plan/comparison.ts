import type { LoadJob } from "../load-job.js";
import type { LargePlan } from "../plan.js";
import type { PlanNotes } from "./plan-notes.js";

/** A plan in a file against the one that would be made now. */
export interface Comparison {
  readonly job: LoadJob;
  /** As it would be now. */
  readonly plan: LargePlan;
  /** As it was made. */
  readonly notes: PlanNotes;
  /** A run of this very plan began before. */
  readonly isBegun: boolean;
}
