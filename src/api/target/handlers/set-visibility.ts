import type { CallOf } from "../../../model/call.js";
import { asJson, guideAsLeft } from "../as-left.js";
import { sendGuarded } from "../guarded.js";
import { guideOf } from "../guide-of.js";
import type { Handler } from "../parts.js";

/** Publishes a guide, or makes it private again. `revisionid` goes into the query: in the body it is refused (api-facts 4.3). */
export const setVisibility: Handler<CallOf<"set-visibility">> = async (work) => {
  const { desk, call, context } = work;
  const guide = await guideOf(context, call.guide);
  if (guide.facts["public"] === call.public) return { written: [guide], missing: [] };
  const answer = await sendGuarded(work, {
    method: call.public ? "PUT" : "DELETE",
    path: `guides/${guide.id}/public`,
    json: {},
    written: guide,
    compared: "guide",
    fields: desk.dialect().revisionFields,
    isDone: (current) => (asJson(current)["public"] === true) === call.public,
  });
  return { written: [guideAsLeft(call.guide, answer)], missing: [] };
};
