import { z } from "zod";
import { badRequest, characters, checked, forbidden, invalidValue, maySee, notFound } from "../rules.js";
import {
  type AccountCall,
  type Call,
  created,
  family,
  NO_CONTENT,
  ok,
  ordered,
  paged,
  type Reply,
  type Route,
  route,
  wholeNumber,
} from "../server/route.js";
import type { CommentRecord, UserRecord } from "../site/records.js";
import type { Site } from "../site/site.js";
import { commentView } from "../views/guide.js";

const CONTEXTS = ["guide", "step", "wiki", "post", "story", "wp_post"];
const SECONDS_TO_CHANGE = 300;

const TEXT = z
  .string()
  .trim()
  .refine((text) => characters(text) >= 12 && characters(text) <= 4096, "a comment has 12 to 4096 characters");
const CREATION = z.strictObject({
  text: TEXT,
  parentid: z.int().positive().nullable().optional(),
  langid: z.string().optional(),
});
const PATCH = z.strictObject({ text: TEXT });

/** Comments (facts, 7). Only the server sets author and date. */
const COMMENTS: readonly Route[] = [
  route("anyone", "GET /comments", listComments),
  route("anyone", "GET /comments/:commentid{[0-9]+}", readComment),
  route("account", "POST /comments/:context/:contextid{[0-9]+}", postComment),
  route("account", "PATCH /comments/:commentid{[0-9]+}", patchComment),
  route("account", "DELETE /comments/:commentid{[0-9]+}", removeComment),
];

async function listComments(call: Call): Promise<Reply> {
  await call.beforeList();
  const context = call.query.get("context");
  const since = wholeNumber(call.query, "modifiedSince") ?? 0;
  const list = [...call.site.comments.values()]
    .filter((comment) => comment.parentid === null && comment.status !== "deleted" && isVisible(call, comment))
    .filter((comment) => context === null || comment.context === context)
    .filter((comment) => Math.max(comment.date, comment.modified) >= since)
    .toSorted((one, other) => one.commentid - other.commentid);
  return ok(paged(ordered(list, call.query), call.query).map((comment) => commentView(call.site, comment)));
}

/** Deleted ones stay readable. */
function readComment(call: Call): Reply {
  const comment = commentOf(call);
  if (!isVisible(call, comment)) throw forbidden("You may not see this comment.");
  return ok(commentView(call.site, comment));
}

function postComment(call: AccountCall): Reply {
  const [context, contextid] = [call.parameter("context"), Number(call.parameter("contextid"))];
  if (!CONTEXTS.includes(context)) throw badRequest("Invalid context provided in the route.");
  if (!exists(call, context, contextid)) throw notFound("There is nothing to comment on.");
  const body = checked(CREATION, call.json());
  const parent = call.site.comments.get(body.parentid ?? -1);
  if (typeof body.parentid === "number" && (parent === undefined || parent.parentid !== null)) {
    throw invalidValue("parentid", "it must be a comment that is no reply itself");
  }
  const fields = { context, contextid, parentid: body.parentid ?? null, text: body.text };
  return created(commentView(call.site, addComment(call.site, fields, call.caller)));
}

function patchComment(call: AccountCall): Reply {
  const comment = commentOf(call);
  const fresh = comment.author === call.caller.userid && call.site.now() - comment.date <= SECONDS_TO_CHANGE;
  if (!fresh && !call.caller.admin) throw forbidden("You may not change this comment.");
  const { text } = checked(PATCH, call.json());
  return ok(commentView(call.site, changeComment(call.site, comment, text)));
}

function removeComment(call: AccountCall): Reply {
  const comment = commentOf(call);
  if (comment.author !== call.caller.userid && !call.caller.admin) throw forbidden("You may not delete this comment.");
  deleteComment(call.site, comment);
  return NO_CONTENT;
}

function commentOf(call: Call): CommentRecord {
  const comment = call.site.comments.get(Number(call.parameter("commentid")));
  if (comment === undefined) throw notFound("Comment not found.");
  return comment;
}

function isVisible(call: Call, comment: CommentRecord): boolean {
  if (comment.context !== "guide" && comment.context !== "step") return true;
  const guides = [...call.site.guides.values()].filter((guide) =>
    comment.context === "guide"
      ? guide.guideid === comment.contextid
      : guide.steps.some((step) => step.stepid === comment.contextid),
  );
  return guides.some((guide) => !guide.deleted && maySee(guide, call.caller));
}

function exists(call: Call, context: string, contextid: number): boolean {
  const guides = [...call.site.guides.values()].filter((guide) => !guide.deleted);
  if (context === "guide") return guides.some((guide) => guide.guideid === contextid);
  if (context === "step") return guides.some((guide) => guide.steps.some((step) => step.stepid === contextid));
  return context === "wiki" && [...call.site.wikis.values()].some((wiki) => wiki.wikiid === contextid);
}

export function addComment(
  site: Site,
  fields: Pick<CommentRecord, "context" | "contextid" | "parentid" | "text">,
  caller: UserRecord,
): CommentRecord {
  const comment: CommentRecord = {
    ...fields,
    commentid: site.next("comment"),
    langid: null,
    author: caller.userid,
    date: site.now(),
    modified: 0,
    status: "public",
    loaded: {},
  };
  site.comments.set(comment.commentid, comment);
  return comment;
}

export function changeComment(site: Site, comment: CommentRecord, text: string): CommentRecord {
  const { text_rendered: _, ...loaded } = comment.loaded;
  const changed = { ...comment, text, loaded, modified: site.now() };
  site.comments.set(comment.commentid, changed);
  return changed;
}

/** The comment and its replies stay readable, as deleted ones (facts, 7). */
export function deleteComment(site: Site, comment: CommentRecord): void {
  for (const one of site.comments.values()) {
    if (one.commentid === comment.commentid || one.parentid === comment.commentid) {
      site.comments.set(one.commentid, { ...one, status: "deleted" });
    }
  }
}

export const COMMENT_ROUTES: readonly Route[] = family("comments", COMMENTS);
