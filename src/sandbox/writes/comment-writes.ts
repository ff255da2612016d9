import type { CommentRecord } from "../state/comment.js";
import type { Site } from "../state/site.js";
import type { UserRecord } from "../state/user.js";

/** A new comment; author and date are the server's business. */
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
