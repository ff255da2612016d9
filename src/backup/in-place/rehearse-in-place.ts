import type { Target } from "../../core/contracts.js";
import type { OriginSite } from "../../service/target/origin-site.js";
import type { PlannedItem } from "../../sync/load/planned-item.js";
import { plan } from "../../sync/plan/plan.js";
import { beginInPlace, comparisonOf, type InPlaceJob, type InPlaceParts, loadPartsOf } from "./job.js";
import type { InPlacePlan, InPlaceSummary } from "./summary.js";

/**
 * What `restoreInPlace` would do, by the same code at a site that takes everything and sends
 * nothing. The workspace is written to: give it a copy. A guide that is deleted counts as one that
 * the site restores, as it was: nobody sees it before, nor knows whether that is refused.
 */
export async function rehearseInPlace(parts: InPlaceParts): Promise<InPlaceSummary> {
  const survey = await parts.target.survey(parts.control.abort);
  const site = rehearsedSite(parts);
  const job = await beginInPlace({ ...parts, ...site }, survey, true);
  const items = await plannedItems(job);
  const requests = items.reduce((sum, item) => sum + item.requests, 0);
  return {
    ...comparisonOf(job),
    raced: [],
    clashes: 0,
    writes: site.homeSite.writes() + site.target.writes() + requests,
    planned: planOf(job, items),
  };
}

async function plannedItems(job: InPlaceJob): Promise<readonly PlannedItem[]> {
  if (job.run.touched.size === 0) return [];
  return (await plan({ ...loadPartsOf(job), rate: null, because: new Map() })).items;
}

/** What comes before a load, and the load. */
function planOf({ desk }: InPlaceJob, items: readonly PlannedItem[]): InPlacePlan {
  const kinds: Record<string, number> = { ...desk.journal.kinds };
  const steps = new Map(desk.journal.steps);
  for (const item of items) {
    const all = [...(steps.get(item.key) ?? []), ...item.steps, ...obstaclesOf(item)];
    if (all.length > 0) steps.set(item.key, all);
    for (const [kind, count] of Object.entries(item.kinds)) kinds[kind] = (kinds[kind] ?? 0) + count;
  }
  return { kinds, steps };
}

/** Writes that would fail before they are sent. */
function obstaclesOf({ issues }: PlannedItem): readonly string[] {
  return issues.filter(({ code }) => code === "will-fail").map(({ message }) => `FAILS: ${message}`);
}

/** The two ends of a site that are written to. */
interface Written {
  readonly target: Target;
  readonly homeSite: OriginSite;
}

/**
 * The same site, to which nothing is sent: it does as it is told, and counts. What is deleted there
 * is taken to come back when it is asked for.
 */
function rehearsedSite({ target, homeSite }: Written): Written {
  let [writes, calls] = [0, 0];
  const done = async (): Promise<undefined> => {
    calls += 1;
    return undefined;
  };
  return {
    target: {
      ...target,
      writes: () => writes,
      apply: async (operation, context) => {
        const rehearsed = await target.rehearse(operation, context);
        writes += rehearsed.writes;
        return rehearsed.receipt;
      },
    },
    homeSite: { ...homeSite, undelete: done, revert: done, writes: () => calls },
  };
}
