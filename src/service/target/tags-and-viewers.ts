import { StatusError } from "../../core/errors.js";
import type { CallOf } from "../../core/model/call.js";
import { type Key, kindOf } from "../../core/model/key.js";
import type { Receipt, RemoteBody, Written } from "../../core/writing.js";
import { NOT_AVAILABLE } from "../http/status-error.js";
import type { Handler, Work } from "./context.js";
import { guideOf, pathOf } from "./identity.js";
import { readTags, readViewers } from "./remote-state.js";
import { reasonOf } from "./write-errors.js";
import { guideAfterUnguardedCall } from "./written-body.js";

/** One call for each tag; it needs and changes no revision (api-facts 4.6). */
export const addTag: Handler<CallOf<"add-tag">> = async (work) => tagged(work, "PUT");

/** A missing tag (404) is done. */
export const removeTag: Handler<CallOf<"remove-tag">> = async (work) => tagged(work, "DELETE");

async function tagged(
  work: Work<CallOf<"add-tag"> | CallOf<"remove-tag">>,
  method: "PUT" | "DELETE",
): Promise<Omit<Receipt, "issues">> {
  const { site, call, context, signal } = work;
  const before = await context.written(call.of);
  const path = `${pathOf(call.of, before?.id)}/tag`;
  await context.keep(`tags/${call.of}`, () => tagsNow(work, before), { tag: call.tag });
  const expect = method === "DELETE" ? [404] : [];
  try {
    const answer = await site.client.send({ method, path, json: { tag: call.tag }, expect }, signal);
    const absorbs = before !== undefined && answer.status !== 404;
    return { written: absorbs ? guideAfterTag(call.of, before, answer.json) : [], missing: [] };
  } catch (error) {
    throw before === undefined ? error : await reasonOf(work, call.of, before.id, error);
  }
}

async function tagsNow(
  { site, call, signal }: Work<CallOf<"add-tag"> | CallOf<"remove-tag">>,
  before: Written | undefined,
): Promise<RemoteBody | undefined> {
  if (before === undefined) return undefined;
  return { id: before.id, body: { tags: await readTags(site.client, call.of, before.id, signal) } };
}

function guideAfterTag(of: Key, before: Written, json: unknown): readonly Written[] {
  return kindOf(of) === "guide" ? [guideAfterUnguardedCall(before, json)] : [];
}

/** Adds a viewer to a private guide, if the target has a match for the user. */
export const addViewer: Handler<CallOf<"add-viewer">> = async (work) => {
  const id = work.site.people().userOf(work.call.user);
  if (id !== undefined) await changeViewer(work, "PUT", `users/${id}`);
  return { written: [], missing: [] };
};

/** Adds a viewing team, matched by name. */
export const addViewingTeam: Handler<CallOf<"add-viewing-team">> = async (work) => {
  const id = work.site.people().teamOf(work.call.team);
  if (id !== undefined) await changeViewer(work, "PUT", `teams/${id}`);
  return { written: [], missing: [] };
};

/** Removes only viewers that guideferry added. */
export const removeViewer: Handler<CallOf<"remove-viewer">> = async (work) => {
  const allowed = await work.context.recall(work.call.operation);
  if (allowed !== undefined) await changeViewer(work, "DELETE", allowed);
  return { written: [], missing: [] };
};

type ViewerCall = CallOf<"add-viewer"> | CallOf<"add-viewing-team"> | CallOf<"remove-viewer">;

/** Granular permissions disable these calls (specification, Guides continued): a loss. */
async function changeViewer(work: Work<ViewerCall>, method: "PUT" | "DELETE", who: string): Promise<void> {
  const { site, call, context, signal, operation } = work;
  const guide = await guideOf(context, call.guide);
  const viewers = async (): Promise<RemoteBody | undefined> => {
    const now = await readViewers(site.client, guide.id, signal);
    return now === undefined ? undefined : { id: guide.id, body: { ...now } };
  };
  await context.keep(`viewers/${call.guide}`, viewers, { who });
  try {
    await site.client.send({ method, path: `guides/${guide.id}/${who}` }, signal);
    if (method === "PUT") await context.remember(operation.id, who);
  } catch (error) {
    const reason = await reasonOf(work, call.guide, guide.id, error);
    if (!(reason instanceof StatusError) || ![403, ...NOT_AVAILABLE].includes(reason.status)) throw reason;
    work.report({
      code: "viewers-switched-off",
      level: "loss",
      path: "viewers",
      message: `The target refuses to set the viewers of a single guide (${reason.status}).`,
      remedy: "Set the viewers by hand, or disable granular permissions on the target for the run.",
    });
  }
}
