import type { Answer } from "../state/answer.js";
import type { CommentRecord } from "../state/comment.js";
import type { Site } from "../state/site.js";
import { asSpecified } from "./as-specified.js";
import { renderText } from "./render-text.js";
import { lightUser } from "./user-view.js";

/** The comments on one thing, deleted ones left out, replies inside, newest reply first (facts, 7). */
export function commentsOf(site: Site, context: string, contextid: number): readonly Answer[] {
  return [...site.comments.values()]
    .filter((comment) => comment.context === context && comment.contextid === contextid)
    .filter((comment) => comment.parentid === null && comment.status !== "deleted")
    .map((comment) => commentView(site, comment));
}

/** A comment with its replies. */
export function commentView(site: Site, comment: CommentRecord): Answer {
  const replies = [...site.comments.values()]
    .filter((reply) => reply.parentid === comment.commentid && reply.status !== "deleted")
    .toReversed();
  const dozuki = site.settings.dialect === "dozuki" ? { numberOfReplies: replies.length, status_reason: "manual" } : {};
  return asSpecified(site, "comment", {
    title: "",
    rating: 0,
    ...dozuki,
    ...comment.loaded,
    commentid: comment.commentid,
    locale: comment.langid,
    context: comment.context,
    contextid: comment.contextid,
    parentid: comment.parentid,
    author: authorOf(site, comment),
    text_raw: comment.text,
    text_rendered: comment.loaded["text_rendered"] ?? renderText(site, comment.text),
    date: comment.date,
    modified_date: comment.modified,
    status: comment.status,
    replies: replies.map((reply) => commentView(site, reply)),
  });
}

function authorOf(site: Site, { author }: CommentRecord): Answer {
  const user = lightUser(site, author);
  if (site.settings.dialect !== "specification") return user;
  return asSpecified(site, "commentAuthor", { privileges: ["User"], ...user });
}
