import type { Step } from "../../../src/core/model/guide.js";
import type { Breach } from "../change.js";
import type { SiteLimits } from "../limits.js";
import type { Change, FitRow } from "../rule.js";

/** A limit on how much stands in one step; whatever it is, `split` moves the rest into steps behind it. */
export interface CrowdRule {
  readonly row: FitRow;
  /** undefined: the step keeps the limit. */
  readonly breachOf: (step: Step, path: string, limits: SiteLimits) => Breach | undefined;
  /** The step with what fits. */
  readonly trim: (step: Step, breach: Breach, limits: SiteLimits) => Change<Step>;
}
