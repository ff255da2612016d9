import type { Body, Receipt, Written } from "../../../core/contracts.js";
import { StatusError } from "../../../core/errors.js";
import type { CallOf } from "../../../core/model/call.js";
import { revisionIn, type Token } from "../../wire/write/revision.js";
import { guideAsLeft } from "../as-left.js";
import { type Edited, edit, openIf, openTokens } from "../guarded.js";
import { guideOf } from "../guide-of.js";
import { noAuthor } from "../losses.js";
import type { Handler, Work } from "../parts.js";
import { mayHave, noteRefused } from "../send-taken.js";
import { removeSpares } from "../take-over.js";

/** Flags and author, in one edit, and only if they differ from what is there; before that, what a guide had more than ours goes. */
export const finishGuide: Handler<CallOf<"finish-guide">> = async (work) => {
  const guide = await removeSpares(work, await guideOf(work.context, work.call.guide));
  const flags = flagsToSend(work, guide);
  const json = { ...flags, ...(await authorToSend(work, guide)) };
  if (Object.keys(json).length === 0) return { written: [guide], missing: [] };
  try {
    return receiptOf(work, await change(work, guide, json));
  } catch (error) {
    if (!("author" in json && error instanceof StatusError && error.status === 422)) throw error;
    if (await takesAuthors(work, guide)) throw error;
    await noteRefused(work, "author");
    reportAuthor(work);
    if (flags.flags === undefined) return { written: [guide], missing: [] };
    return receiptOf(work, await change(work, guide, flags));
  }
};

function change(work: Work, guide: Written, json: Body): Promise<Edited> {
  return edit(work, { method: "PATCH", path: `guides/${guide.id}`, json, written: guide, compared: "guide" });
}

function receiptOf({ call }: Work<CallOf<"finish-guide">>, edited: Edited): Omit<Receipt, "issues"> {
  return { written: [guideAsLeft(call.guide, edited.json, edited.facts)], missing: [], ...openIf(edited) };
}

/** Does the site take an author at all? Tried with the one that the guide has, which changes nothing. */
async function takesAuthors(work: Work, { id, revision, facts }: Written): Promise<boolean> {
  const { author } = facts;
  if (typeof author !== "number") return true;
  const tokens = await openTokens(work);
  for (let token: Token | undefined = tokens.next(revision); token !== undefined; ) {
    const query = { revisionid: token.value };
    const call = { method: "PATCH", path: `guides/${id}`, query, json: { author }, expect: [409, 422] } as const;
    const { status, json } = await work.desk.client.send(call, work.signal);
    if (status !== 409) return status !== 422;
    token = tokens.next(revisionIn(json));
  }
  return true;
}

/** Privileged flags that are set must be listed again, or the site answers 422 (api-facts 4.2). */
function flagsToSend(work: Work<CallOf<"finish-guide">>, guide: Written): { readonly flags?: readonly string[] } {
  const { flags: settable } = work.desk.survey();
  const present = Array.isArray(guide.facts["flags"]) ? guide.facts["flags"].map(String) : [];
  const fixed = settable === null ? [] : present.filter((flag) => !settable.includes(flag));
  const wanted = [...new Set([...fixed, ...work.call.flags])];
  return [...wanted].sort().join() === [...present].sort().join() ? {} : { flags: wanted };
}

async function authorToSend(work: Work<CallOf<"finish-guide">>, guide: Written): Promise<{ readonly author?: number }> {
  const { author } = work.call;
  const id = author === null ? undefined : work.desk.people().userOf(author);
  if (id === undefined || id === guide.facts["author"]) return {};
  if (await mayHave(work, "author")) return { author: id };
  reportAuthor(work);
  return {};
}

function reportAuthor({ call, report }: Work<CallOf<"finish-guide">>): void {
  if (call.author !== null) report({ level: "loss", ...noAuthor(call.author.name, true) });
}
