import type { Written } from "../../../core/contracts.js";
import type { CallOf } from "../../../core/model/call.js";
import { asJson, guideAsLeft } from "../as-left.js";
import { edit, openIf } from "../guarded.js";
import { guideOf } from "../guide-of.js";
import type { Handler, Work } from "../parts.js";

type SetVisibility = Work<CallOf<"set-visibility">>;

/** Publishes a guide, or makes it private again. `revisionid` goes into the query: in the body it is refused (api-facts 4.3). */
export const setVisibility: Handler<CallOf<"set-visibility">> = async (work) => {
  const { call, context } = work;
  const guide = await guideOf(context, call.guide);
  if (guide.facts["public"] === call.public) return { written: [guide], missing: [] };
  // Whether it was done has to be known after a crash: else nobody would publish it again.
  if (call.hides === true) await context.begin({});
  const edited = await edit(ofItsOwn(work, guide), {
    method: call.public ? "PUT" : "DELETE",
    path: `guides/${guide.id}/public`,
    json: {},
    sends: { public: call.public },
    written: guide,
    compared: "guide",
    isDone: (current) => (asJson(current)["public"] === true) === call.public,
  });
  const hidden = call.hides === true ? true : undefined;
  return {
    written: [guideAsLeft(call.guide, edited.json, { ...edited.facts, hidden })],
    missing: [],
    ...openIf(edited),
  };
};

/**
 * Hiding a guide for a while, and showing it again, touches nobody's work: what somebody edited meanwhile in other fields decides nothing, and
 * stays.
 */
function ofItsOwn(work: SetVisibility, { facts }: Written): SetVisibility {
  const { desk, call } = work;
  if (call.hides !== true && facts["hidden"] !== true) return work;
  return { ...work, desk: { ...desk, onConflict: "merge" } };
}
