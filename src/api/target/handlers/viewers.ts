import { StatusError } from "../../../errors.js";
import type { CallOf } from "../../../model/call.js";
import { guideOf } from "../guide-of.js";
import type { Handler, Work } from "../parts.js";

/** Lets a person see a private guide, if the target knows them by the same unique name. */
export const addViewer: Handler<CallOf<"add-viewer">> = async (work) => {
  const id = work.desk.people().userOf(work.call.user);
  if (id !== undefined) await allow(work, `users/${id}`, `viewers.users`);
  return { written: [], missing: [] };
};

/** The same for a team, by its name. */
export const addViewingTeam: Handler<CallOf<"add-viewing-team">> = async (work) => {
  const id = work.desk.people().teamOf(work.call.team.name);
  if (id !== undefined) await allow(work, `teams/${id}`, `viewers.teams`);
  return { written: [], missing: [] };
};

/** Granular permissions switch these calls off (specification, Guides continued): that is a loss, not a failure. */
async function allow(
  work: Work<CallOf<"add-viewer"> | CallOf<"add-viewing-team">>,
  rest: string,
  path: string,
): Promise<void> {
  const { desk, call, context, signal } = work;
  const guide = await guideOf(context, call.guide);
  try {
    await desk.client.send({ method: "PUT", path: `guides/${guide.id}/${rest}` }, signal);
  } catch (error) {
    if (!(error instanceof StatusError) || ![403, 404, 405].includes(error.status)) throw error;
    work.report({
      code: "viewers-switched-off",
      level: "loss",
      path,
      message: `The target refuses viewers of single guides (${error.status}).`,
      remedy: "Give the rights by hand, or switch granular permissions off for the run.",
    });
  }
}
