import type { Receipt, Written } from "../../../core/contracts.js";
import { StatusError } from "../../../core/errors.js";
import type { CallOf } from "../../../core/model/call.js";
import { guideAsLeft, stepsIn } from "../as-left.js";
import { edit, openIf } from "../guarded.js";
import { guideOf } from "../guide-of.js";
import { keptGone, keptTheirs } from "../merge/merge-issues.js";
import { placed } from "../merge/merge-order.js";
import { apartIn, apartSteps, clashesIn, standsApart } from "../merge/standing-apart.js";
import type { Handler, Work } from "../parts.js";
import { knownSteps, presentSteps } from "./save-step.js";

type OrderSteps = CallOf<"order-steps">;

/** Puts the steps into their order with one call. Steps that somebody added at the target keep their place behind the one before them. */
export const orderSteps: Handler<OrderSteps> = async (work) => {
  const { call, context } = work;
  const guide = await guideOf(context, call.guide);
  const wanted: string[] = [];
  for (const key of call.steps) {
    const id = await context.idOf(key);
    if (id !== undefined) wanted.push(id);
  }
  const known = knownSteps(guide);
  try {
    return receiptOf(await order(work, guide, wanted, known));
  } catch (error) {
    // The order must name every step of the guide once (api-facts 4.4): somebody added or removed one since.
    if (!(error instanceof StatusError) || error.status !== 422) throw error;
    const present = await presentSteps(work, guide);
    if (present.join() === known.join()) throw error;
    return receiptOf(await order(work, guide, wanted, present));
  }
};

interface Ordered extends Pick<Receipt, "open" | "apart"> {
  readonly written: Written;
}

function receiptOf({ written, ...rest }: Ordered): Omit<Receipt, "issues"> {
  return { written: [written], missing: [], ...rest };
}

async function order(
  work: Work<OrderSteps>,
  guide: Written,
  wanted: readonly string[],
  present: readonly string[],
): Promise<Ordered> {
  const stepids = placed(wanted, present);
  if (stepids.join() === present.join()) return asOrdered(work, guide, wanted, present);
  const known = knownSteps(guide);
  const edited = await edit(work, {
    method: "PUT",
    path: `guides/${guide.id}/steporder`,
    json: { stepids: stepids.map(Number) },
    agreed: wanted,
    sends: { steps: stepids.map(Number) },
    jsonOf: ({ steps }) => ({ stepids: steps }),
    written: guide,
    compared: "guide",
    isDone: (current) => stepIdsIn(current).join() === stepids.join(),
    // The digest of a guide says nothing of its steps.
    isUntouched: (current) => placed(known, stepIdsIn(current)).join() === stepIdsIn(current).join(),
  });
  return { written: guideAsLeft(work.call.guide, edited.json, edited.facts), ...openIf(edited) };
}

/** It stands in our order already, perhaps with steps of others in between. */
async function asOrdered(
  work: Work,
  guide: Written,
  wanted: readonly string[],
  present: readonly string[],
): Promise<Ordered> {
  const apart = apartSteps(apartIn(guide), wanted, present, () => true);
  const fields = Object.keys(apart).filter((field) => !clashesIn(guide).includes(field));
  const there = { ...(await work.context.left(guide.key)), steps: present };
  const told = [...(await keptGone(work, apart["steps"], present)), ...keptTheirs(fields, { base: apart, there })];
  const kept = Object.keys(apart).length === 0 ? undefined : apart;
  const written = { ...guide, facts: { ...guide.facts, apart: kept, steps: present } };
  return { written, ...(standsApart(guide) || standsApart(written) ? { apart: told } : {}) };
}

function stepIdsIn(guide: unknown): readonly string[] {
  return stepsIn(guide).map((step) => String(step["stepid"]));
}
