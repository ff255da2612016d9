import { type Answer, numberAt, objectAt, objectsAt, textAt, without } from "../state/answer.js";
import type { Site } from "../state/site.js";

/** Takes in comments with their replies; where a comment does not say what it is on, `context` and `contextid` do. */
export function loadComments(site: Site, comments: readonly Answer[], context = "", contextid = 0): void {
  for (const comment of comments) {
    const commentid = numberAt(comment, "commentid") ?? site.next("comment");
    const on = { context: textAt(comment, "context", context), contextid: numberAt(comment, "contextid") ?? contextid };
    site.comments.set(commentid, {
      commentid,
      ...on,
      parentid: numberAt(comment, "parentid") ?? null,
      langid: textAt(comment, "locale") || null,
      author: numberAt(objectAt(comment, "author"), "userid") ?? 0,
      text: textAt(comment, "text_raw"),
      date: numberAt(comment, "date") ?? site.now(),
      modified: numberAt(comment, "modified_date") ?? 0,
      status: textAt(comment, "status", "public"),
      loaded: without(comment, ["replies"]),
    });
    const replies = objectsAt(comment, "replies").map((reply) => ({ parentid: commentid, ...reply }));
    loadComments(site, replies, on.context, on.contextid);
  }
}
