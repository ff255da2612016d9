import { StatusError } from "../../../core/errors.js";
import type { CallOf } from "../../../core/model/call.js";
import { type Key, kindOf } from "../../../core/model/key.js";
import { digest } from "../../../core/util/digest.js";
import { NOT_AVAILABLE } from "../../not-available.js";
import { AnsweredError } from "../answered.js";
import { asJson } from "../as-left.js";
import { isForeign } from "../foreign.js";
import { reasonOf } from "../gone.js";
import type { Handler, Work } from "../parts.js";
import { pathOf } from "../paths.js";
import { noteOfPosted, notePosted, type Posted } from "../posted-comment.js";
import { writeText } from "../write-text.js";

type Posting = Work<CallOf<"post-comment">>;

const NOTHING = { written: [], missing: [] } as const;

/**
 * Posts a comment in the name of the account, once: one that was posted is never changed or deleted for what became of it at the source,
 * since the service lets a comment be edited for 5 minutes only (api-facts 7). That is listed.
 */
export const postComment: Handler<CallOf<"post-comment">> = async (work) => {
  const { call, context, operation } = work;
  const owner = await context.written(operation.item);
  // What others made gets no comments of ours; should it be taken over later, this is looked at again.
  if (owner !== undefined && isForeign(owner)) return { ...NOTHING, open: true };
  const posted = await noteOfPosted(work);
  if (call.text === null) {
    if (posted !== undefined) await reportGone(work, posted);
    return NOTHING;
  }
  const place = await placeOf(work);
  if (place === undefined) return missing(work);
  if (posted?.place !== place) return post(work, place, call.text);
  if (posted.text !== digest(call.text)) {
    const what = `was changed at the source since it was posted; here, comment ${posted.id} stays as it was: the service lets comments be edited for 5 minutes only`;
    report(work, "comment-changed", "loss", what);
  }
  return NOTHING;
};

/** What it is about, as the service addresses it: `guide/12`. undefined: that is not at the target. */
async function placeOf({ desk, call, context, signal }: Posting): Promise<string | undefined> {
  const id = await context.idOf(call.of);
  if (id === undefined) return undefined;
  const kind = kindOf(call.of);
  if (kind === "guide" || kind === "step") return `${kind}/${id}`;
  const { status, json } = await desk.client.get(pathOf(call.of, id), { expect: [404] }, signal);
  const wiki = asJson(json)["wikiid"];
  return status === 404 || typeof wiki !== "number" ? undefined : `wiki/${wiki}`;
}

async function post(work: Posting, place: string, text: string): ReturnType<typeof postComment> {
  const { desk, call, context, signal } = work;
  const parent = call.parent === null ? null : await parentOf(work, call.parent, place);
  if (parent === undefined) {
    report(work, "comment-not-posted", "loss", "is not posted: what it answers is not there");
    return NOTHING;
  }
  const json = { text: await sentText(work, text), ...(parent === null ? {} : { parentid: parent }) };
  await context.begin({ place, sent: json });
  try {
    const answer = await desk.client.send({ method: "POST", path: `comments/${place}`, json, create: true }, signal);
    await notePosted(work, { id: idIn(work, answer.json), place, text: digest(text) });
  } catch (error) {
    await refused(work, error);
  }
  return NOTHING;
}

function idIn({ operation }: Posting, answer: unknown): number {
  const id = asJson(answer)["commentid"];
  if (typeof id === "number") return id;
  throw new AnsweredError(`${operation.label}: the site's answer to the posting names no comment. It is looked for.`);
}

/** The comment at the target that this one answers. */
async function parentOf(work: Posting, parent: string, place: string): Promise<number | undefined> {
  const posted: Posted | undefined = await noteOfPosted({ context: work.context, operation: { id: parent } });
  return posted?.place === place ? posted.id : undefined;
}

/** With its references pointed home, as far as they can be: a comment can't be edited later. */
async function sentText(work: Posting, text: string): Promise<string> {
  const waiting = new Set<Key>();
  const sent = await writeText(work, text, "page", "comments", waiting);
  for (const key of waiting)
    report(
      work,
      "comment-reference",
      "loss",
      `refers to ${key}, which is not at the target yet: it links to the old site`,
    );
  return sent;
}

/** Comments may be switched off, or shorter on this site (api-facts 7): a loss, and no failure. Throws what is another trouble. */
async function refused(work: Posting, error: unknown): Promise<void> {
  const { call, context } = work;
  const id = await context.idOf(call.of);
  const reason = kindOf(call.of) === "step" || id === undefined ? error : await reasonOf(work, call.of, id, error);
  if (!(reason instanceof StatusError) || !REFUSALS.has(reason.status)) throw reason;
  report(work, "comment-not-posted", "loss", `is not posted: the site refused it. ${reason.message}`);
}

const REFUSALS: ReadonlySet<number> = new Set([403, ...NOT_AVAILABLE, 422]);

function missing(work: Posting): Awaited<ReturnType<typeof postComment>> {
  report(work, "comment-not-posted", "loss", `is not posted: ${work.call.of}, which it is about, is not at the target`);
  return { ...NOTHING, open: true };
}

/** Where it stands at the target is all that is known of one that is gone at the source. */
async function reportGone(work: Posting, { id, place }: Posted): Promise<void> {
  const [context = "", contextid = ""] = place.split("/");
  const step = context === "step" ? await work.context.keyOf("step", contextid) : undefined;
  report(work, "comment-gone", "note", `is gone at the source and stays here as comment ${id}`, step);
}

function report(work: Posting, code: string, level: "note" | "loss", what: string, of: Key = work.call.of): void {
  const path = kindOf(of) === "step" ? `${of}.comments` : "comments";
  work.report({ code, level, path, message: `The comment ${work.call.comment} ${what}.` });
}
