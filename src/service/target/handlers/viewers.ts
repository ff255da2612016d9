import type { Standing } from "../../../core/contracts.js";
import { StatusError } from "../../../core/errors.js";
import type { CallOf } from "../../../core/model/call.js";
import { NOT_AVAILABLE } from "../../not-available.js";
import { reasonOf } from "../gone.js";
import { guideOf } from "../guide-of.js";
import type { Handler, Work } from "../parts.js";
import { readViewers } from "../undo/read-beside.js";

/** Lets a person see a private guide, if the target knows them by the same unique name. */
export const addViewer: Handler<CallOf<"add-viewer">> = async (work) => {
  const id = work.desk.people().userOf(work.call.user);
  if (id !== undefined) await change(work, "PUT", `users/${id}`);
  return { written: [], missing: [] };
};

/** The same for a team, by its name. */
export const addViewingTeam: Handler<CallOf<"add-viewing-team">> = async (work) => {
  const id = work.desk.people().teamOf(work.call.team);
  if (id !== undefined) await change(work, "PUT", `teams/${id}`);
  return { written: [], missing: [] };
};

/** Who may not see it at the source any more must not see it at the target: but only whom we let in. */
export const removeViewer: Handler<CallOf<"remove-viewer">> = async (work) => {
  const allowed = await work.context.recall(work.call.operation);
  if (allowed !== undefined) await change(work, "DELETE", allowed);
  return { written: [], missing: [] };
};

type ViewerCall = CallOf<"add-viewer"> | CallOf<"add-viewing-team"> | CallOf<"remove-viewer">;

/** Granular permissions switch these calls off (specification, Guides continued): that is a loss, not a failure. */
async function change(work: Work<ViewerCall>, method: "PUT" | "DELETE", who: string): Promise<void> {
  const { desk, call, context, signal, operation } = work;
  const guide = await guideOf(context, call.guide);
  const viewers = async (): Promise<Standing | undefined> => {
    const now = await readViewers(desk.client, guide.id, signal);
    return now === undefined ? undefined : { id: guide.id, body: { ...now } };
  };
  await context.keep(`viewers/${call.guide}`, viewers, { who });
  try {
    await desk.client.send({ method, path: `guides/${guide.id}/${who}` }, signal);
    if (method === "PUT") await context.remember(operation.id, who);
  } catch (error) {
    const reason = await reasonOf(work, call.guide, guide.id, error);
    if (!(reason instanceof StatusError) || ![403, ...NOT_AVAILABLE].includes(reason.status)) throw reason;
    work.report({
      code: "viewers-switched-off",
      level: "loss",
      path: "viewers",
      message: `The target refuses viewers of single guides (${reason.status}).`,
      remedy: "Give the rights by hand, or switch granular permissions off for the run.",
    });
  }
}
