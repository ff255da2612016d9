import type { CallOf } from "../../../core/model/call.js";
import { guideAbsorbed, stepsIn } from "../as-left.js";
import { sendGuarded } from "../guarded.js";
import { guideOf } from "../guide-of.js";
import type { Handler } from "../parts.js";

/** Removes a step that is gone at the source, unless somebody edited it at the target. One that is gone already is done. */
export const deleteStep: Handler<CallOf<"delete-step">> = async (work) => {
  const { call, context } = work;
  const guide = await guideOf(context, call.guide);
  const step = await context.written(call.step);
  if (step === undefined) return { written: [], missing: [] };
  const path = `guides/${guide.id}/steps/${step.id}`;
  const answer = await sendGuarded(work, {
    method: "DELETE",
    path,
    json: {},
    written: step,
    compared: "step",
    goneIsDone: true,
    isDone: () => false,
  });
  const forgotten = { ...step, facts: { deleted: true } };
  const withoutIt = (steps: readonly string[]): readonly string[] => steps.filter((id) => id !== step.id);
  const steps = (guide.facts["steps"] as readonly string[] | undefined)?.filter((id) => id !== step.id) ?? [];
  const rest =
    stepsIn(answer).length > 0
      ? guideAbsorbed(guide, answer, withoutIt)
      : { ...guide, facts: { ...guide.facts, steps } };
  return { written: [forgotten, rest], missing: [] };
};
