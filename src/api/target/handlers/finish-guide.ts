import type { Written } from "../../../contracts.js";
import type { CallOf } from "../../../model/call.js";
import { guideAsLeft } from "../as-left.js";
import { sendGuarded } from "../guarded.js";
import { guideOf } from "../guide-of.js";
import type { Handler, Work } from "../parts.js";

/** Flags and author, in one edit, and only if they differ from what is there. */
export const finishGuide: Handler<CallOf<"finish-guide">> = async (work) => {
  const { desk, call, context } = work;
  const guide = await guideOf(context, call.guide);
  const json = { ...flagsToSend(work, guide), ...authorToSend(work, guide) };
  if (Object.keys(json).length === 0) return { written: [guide], missing: [] };
  const edit = {
    method: "PATCH",
    path: `guides/${guide.id}`,
    json,
    written: guide,
    compared: "guide",
    fields: desk.dialect().revisionFields,
  } as const;
  return { written: [guideAsLeft(call.guide, await sendGuarded(work, edit))], missing: [] };
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
