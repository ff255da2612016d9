import { type AccountCall, created, ok, type Reply, type Route } from "../server/route.js";
import { invalidValue, missingField } from "../server/service-error.js";
import { isAnswer } from "../state/answer.js";
import { guideView } from "../views/guide-view.js";
import { renderLine } from "../views/render-text.js";
import { stepView } from "../views/step-view.js";
import { createStep, deleteStep, orderSteps, patchStep } from "../writes/step-writes.js";
import { editableGuide, guideAtRevision, guideOfStep, stepAtRevision } from "./find-guide.js";

const STEPS = "/guides/:guideid{[0-9]+}/steps";
const STEP = `${STEPS}/:stepid{[0-9]+}`;

/** Steps (facts, 4.4): adding and removing answer with the guide, changing with the step. */
export const STEP_ROUTES: readonly Route[] = [
  { method: "POST", path: "/guides/steps/lines/preview", access: "account", run: preview },
  { method: "POST", path: STEPS, access: "account", run: addStep },
  { method: "PATCH", path: STEP, access: "account", run: changeStep },
  { method: "DELETE", path: STEP, access: "account", run: removeStep },
  { method: "PUT", path: "/guides/:guideid{[0-9]+}/steporder", access: "account", run: reorder },
];

/** No revision is asked for: two writers can interleave (facts, 4.4). */
function addStep(call: AccountCall): Reply {
  const guide = createStep(call.site, editableGuide(call), call.json(), call.caller);
  return created(guideView(call.site, guide, call.caller));
}

function changeStep(call: AccountCall): Reply {
  const { guide, step } = stepAtRevision(call, guideOfStep(call));
  const changed = patchStep(call.site, guide, step, call.json(), call.caller);
  return ok(stepView(call.site, guideOfStep(call), changed));
}

function removeStep(call: AccountCall): Reply {
  const { guide, step } = stepAtRevision(call);
  return ok(guideView(call.site, deleteStep(call.site, guide, step), call.caller));
}

function reorder(call: AccountCall): Reply {
  const guide = guideAtRevision(call);
  return ok(guideView(call.site, orderSteps(call.site, guide, call.json()), call.caller));
}

/** Neither body nor answer is public (facts, 12): a JSON string or `{text}` in, `{html}` out. */
function preview(call: AccountCall): Reply {
  const body = call.json();
  const text = isAnswer(body) ? body["text"] : body;
  if (text === undefined) throw missingField("text");
  if (typeof text !== "string") throw invalidValue("text", "text must be a string");
  return ok({ html: renderLine(call.site, text) });
}
