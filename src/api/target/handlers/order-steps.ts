import type { Written } from "../../../contracts.js";
import { StatusError } from "../../../errors.js";
import type { CallOf } from "../../../model/call.js";
import { guideAsLeft, stepsIn } from "../as-left.js";
import { sendGuarded } from "../guarded.js";
import { guideOf } from "../guide-of.js";
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
    return { written: [await order(work, guide, wanted, known)], missing: [] };
  } catch (error) {
    // The order must name every step of the guide once (api-facts 4.4): somebody added or removed one since.
    if (!(error instanceof StatusError) || error.status !== 422) throw error;
    const present = await presentSteps(work, guide);
    if (present.join() === known.join()) throw error;
    return { written: [await order(work, guide, wanted, present)], missing: [] };
  }
};

async function order(
  work: Work<OrderSteps>,
  guide: Written,
  wanted: readonly string[],
  present: readonly string[],
): Promise<Written> {
  const stepids = orderOf(wanted, present);
  if (stepids.join() === present.join()) return { ...guide, facts: { ...guide.facts, steps: present } };
  const answer = await sendGuarded(work, {
    method: "PUT",
    path: `guides/${guide.id}/steporder`,
    json: { stepids: stepids.map(Number) },
    written: guide,
    compared: "guide",
    fields: work.desk.dialect().revisionFields,
    isDone: (current) =>
      stepsIn(current)
        .map((step) => String(step["stepid"]))
        .join() === stepids.join(),
  });
  return guideAsLeft(work.call.guide, answer);
}

/** Ours that are there in their order; others stay behind the one before them. */
function orderOf(wanted: readonly string[], present: readonly string[]): readonly string[] {
  const order = wanted.filter((id) => present.includes(id));
  for (const [index, id] of present.entries()) {
    if (order.includes(id)) continue;
    const before = present[index - 1];
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, id);
  }
  return order;
}
