import { check } from "./check.js";
import { leftOut } from "./left-out.js";
import { loadJobOf } from "./load-job.js";
import { PlanRun } from "./plan-run.js";
import type { PlannedItem, PlanParts } from "./planned-item.js";

export type { PlannedItem, PlanParts } from "./planned-item.js";

/**
 * What a load would do. `requests` is what a load sends that does one item at a time, is not disturbed, and finds the site
 * as it is now. Three things move it: items that are at work side by side may see each other's ids earlier or later, so
 * that a text that refers to one of them is written once or twice; a site that wants the other of two revision fields says
 * so by refusing the first edit; and nobody knows which flags a site sets by itself.
 */
export interface Plan {
  readonly target: string;
  readonly items: readonly PlannedItem[];
  readonly counts: Readonly<Record<PlannedItem["action"], number>>;
  readonly requests: number;
  /** At the rate of the target; null without a limit. */
  readonly seconds: number | null;
}

/** Says what a load would do, item by item. Nothing is written to the target. */
export async function plan(parts: PlanParts): Promise<Plan> {
  const job = await loadJobOf(parts);
  const run = new PlanRun(job, await check(job), parts.because);
  const items = [...leftOut(job, parts.because), ...(await run.items())];
  const requests = items.reduce((sum, item) => sum + item.requests, 0);
  const count = (action: PlannedItem["action"]): number => items.filter((item) => item.action === action).length;
  return {
    target: job.survey.identity.root,
    items,
    counts: {
      create: count("create"),
      change: count("change"),
      leave: count("leave"),
      refuse: count("refuse"),
      adopt: count("adopt"),
    },
    requests,
    seconds: parts.rate === null ? null : Math.ceil(requests / parts.rate),
  };
}
