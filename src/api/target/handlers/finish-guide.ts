import type { Written } from "../../../contracts.js";
import type { CallOf } from "../../../model/call.js";
import { guideAsLeft } from "../as-left.js";
import { edit, openIf } from "../guarded.js";
import { guideOf } from "../guide-of.js";
import type { Handler, Work } from "../parts.js";
import { removeSpares } from "../take-over.js";

/** Flags and author, in one edit, and only if they differ from what is there; before that, what a guide had more than ours goes. */
export const finishGuide: Handler<CallOf<"finish-guide">> = async (work) => {
  const { call, context } = work;
  const guide = await removeSpares(work, await guideOf(context, call.guide));
  const json = { ...flagsToSend(work, guide), ...authorToSend(work, guide) };
  if (Object.keys(json).length === 0) return { written: [guide], missing: [] };
  const patch = {
    method: "PATCH",
    path: `guides/${guide.id}`,
    json,
    written: guide,
    compared: "guide",
  } as const;
  const edited = await edit(work, patch);
  return { written: [guideAsLeft(call.guide, edited.json, edited.facts)], missing: [], ...openIf(edited) };
};

/** Privileged flags that are set must be listed again, or the site answers 422 (api-facts 4.2). */
function flagsToSend(work: Work<CallOf<"finish-guide">>, guide: Written): { readonly flags?: readonly string[] } {
  const { flags: settable } = work.desk.survey();
  const present = Array.isArray(guide.facts["flags"]) ? guide.facts["flags"].map(String) : [];
  const fixed = settable === null ? [] : present.filter((flag) => !settable.includes(flag));
  const wanted = [...new Set([...fixed, ...work.call.flags])];
  return [...wanted].sort().join() === [...present].sort().join() ? {} : { flags: wanted };
}

function authorToSend(work: Work<CallOf<"finish-guide">>, guide: Written): { readonly author?: number } {
  const { author } = work.call;
  const id = author === null || !work.desk.dialect().writesAuthor ? undefined : work.desk.people().userOf(author);
  return id === undefined || id === guide.facts["author"] ? {} : { author: id };
}
