import type { CallOf } from "../../../model/call.js";
import { guideAsLeft, stepsIn } from "../as-left.js";
import { sendGuarded } from "../guarded.js";
import { guideOf } from "../guide-of.js";
import type { Handler } from "../parts.js";
import { knownSteps } from "./save-step.js";

/** Puts the steps into their order with one call. Steps that somebody added at the target keep their place behind the one before them. */
export const orderSteps: Handler<CallOf<"order-steps">> = async (work) => {
  const { desk, call, context } = work;
  const guide = await guideOf(context, call.guide);
  const wanted: string[] = [];
  for (const key of call.steps) {
    const id = await context.idOf(key);
    if (id !== undefined) wanted.push(id);
  }
  const order = withForeign(wanted, knownSteps(guide));
  if (order.join() === knownSteps(guide).join()) return { written: [guide], missing: [] };
  const answer = await sendGuarded(work, {
    method: "PUT",
    path: `guides/${guide.id}/steporder`,
    json: { stepids: order.map(Number) },
    written: guide,
    compared: "guide",
    fields: desk.dialect().revisionFields,
    isDone: (current) =>
      stepsIn(current)
        .map((step) => String(step["stepid"]))
        .join() === order.join(),
  });
  return { written: [guideAsLeft(call.guide, answer)], missing: [] };
};

function withForeign(wanted: readonly string[], present: readonly string[]): readonly string[] {
  const order = [...wanted];
  for (const [index, id] of present.entries()) {
    if (order.includes(id)) continue;
    const before = present[index - 1];
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, id);
  }
  return order;
}
