import type { Site } from "../state/site.js";
import { addComment, changeComment, deleteComment } from "../writes/comment-writes.js";
import type { Editor } from "./editor.js";
import { found, OTHER_EDITOR } from "./other-editor.js";

export function commentHands(site: Site) {
  const commentAt = (commentid: number) => found(site.comments.get(commentid), `comment ${commentid}`);
  return {
    comment: (context, contextid, text, parentid) => {
      const parent = parentid === undefined ? null : commentAt(parentid).commentid;
      return addComment(site, { context, contextid, text, parentid: parent }, OTHER_EDITOR).commentid;
    },
    changeComment: (commentid, text) => void changeComment(site, commentAt(commentid), text),
    setCommentStatus: (commentid, status) => void site.comments.set(commentid, { ...commentAt(commentid), status }),
    deleteComment: (commentid) => deleteComment(site, commentAt(commentid)),
  } satisfies Partial<Editor>;
}
