import type { Body, Written } from "../core/contracts.js";
import type { Key } from "../core/model/key.js";
import { type Checked, check } from "./check.js";
import { brakeDeletions } from "./gone/brake-deletions.js";
import { sweep } from "./gone/sweep.js";
import { withoutDeleted } from "./gone/without-deleted.js";
import { leftOut, standingAsFitted } from "./left-out.js";
import { type LoadJob, loadJobOf } from "./load-job.js";
import { refuseNamesakes } from "./namesakes.js";
import { absencesOf } from "./plan/absences.js";
import { ItemRehearsal } from "./plan/item-rehearsal.js";
import type { ShownItem } from "./plan/text-change.js";
import { PlanRun } from "./plan-run.js";
import type { PlannedItem, PlanParts } from "./planned-item.js";
import { noteUndecided } from "./step-limits.js";

export type { PlannedItem, PlanParts } from "./planned-item.js";

/**
 * What a load would do. `requests` is what a load sends that does one item at a time, is not disturbed, and finds the site
 * as it is now. Four things move it: items that are at work side by side may see each other's ids earlier or later, so
 * that a text that refers to one of them is written once or twice; a site that wants the other of two revision fields says
 * so by refusing the first edit; nobody knows which flags a site sets by itself; and a site that refuses the first upload of
 * a video or a document gets no other, which no list of its tells beforehand.
 */
export interface Plan {
  readonly target: string;
  readonly items: readonly PlannedItem[];
  readonly counts: PlanCounts;
  readonly requests: number;
  /** At the rate of the target; null without a limit. */
  readonly seconds: number | null;
}

export type PlanCounts = Readonly<Record<PlannedItem["action"], number>>;

/** The same, whose items lie on the disk as long as the workspace is open. */
export interface LargePlan extends Omit<Plan, "items"> {
  readonly job: LoadJob;
  readonly checked: Checked;
  /** May be called again. */
  items(): Iterable<PlannedItem>;
  /** Those of one action, or all. */
  shown(action?: PlannedItem["action"]): Iterable<ShownItem>;
  /** See TargetView; only with a reader. */
  tokenOf(key: Key, id: string): Promise<string | null>;
  present(key: Key, id: string): Promise<readonly Written[] | undefined>;
  /** What would be sent of a thing that somebody edited at the target. */
  wantedOf(thing: Key): readonly Body[];
}

/** Says what a load would do, item by item. Nothing is written to the target. */
export async function plan(parts: PlanParts): Promise<Plan> {
  const { target, counts, requests, seconds, items } = await largePlan(parts);
  return { target, items: [...items()], counts, requests, seconds };
}

/** The same for plans of any size. */
export async function largePlan(parts: PlanParts): Promise<LargePlan> {
  const asked = await loadJobOf(parts);
  const checked = await check(asked);
  await refuseNamesakes(asked, checked);
  if (checked.beyond !== null) await noteUndecided(asked, checked.beyond);
  const swept = await sweep(asked, checked);
  await brakeDeletions(asked, swept.gone);
  const absences = await absencesOf(asked, checked, swept);
  const job = await withoutDeleted(asked, checked, swept.deleted);
  const rehearsal = new ItemRehearsal(job, checked, absences, parts);
  const standing = await standingAsFitted(job, checked);
  const run = new PlanRun(job, { ...checked, standing }, rehearsal, parts.because);
  await run.rehearse(swept.gone);
  const before = leftOut(job, parts.because);
  const counts = { create: 0, change: 0, leave: 0, refuse: 0, adopt: 0, delete: 0, gone: 0 };
  let requests = 0;
  function* items(): Generator<PlannedItem> {
    yield* before;
    yield* run.items();
  }
  for (const item of items()) {
    counts[item.action] += 1;
    requests += item.requests;
  }
  return {
    target: job.survey.identity.root,
    job,
    checked,
    items,
    *shown(action) {
      for (const item of before) if (action === undefined || item.action === action) yield { item, changes: [] };
      yield* run.shown(action);
    },
    tokenOf: (key, id) => rehearsal.look.view().tokenOf(key, id),
    present: (key, id) => rehearsal.look.view().present(key, id),
    wantedOf: (thing) => rehearsal.wantedOf(thing),
    counts,
    requests,
    seconds: parts.rate === null ? null : Math.ceil(requests / parts.rate),
  };
}
