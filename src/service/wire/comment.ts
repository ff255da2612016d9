import type { Comment } from "../../core/model/guide.js";
import { readPerson } from "./person.js";
import type { Place } from "./place.js";

/** The comments of a guide or step (api-facts 7); their replies are counted, the answer itself holds them whole. */
export function readComments(list: Place): readonly Comment[] {
  return list.items().flatMap((place) => {
    const comment = place.object();
    const id = comment?.at("commentid").integer() ?? null;
    return comment === undefined || id === null ? [] : [readComment(comment, id)];
  });
}

function readComment(comment: Place, id: number): Comment {
  return {
    id,
    author: readPerson(comment.at("author")),
    date: comment.at("date").number(),
    text: comment.at("text_raw").text(),
    status: comment.at("status").textOrNull() ?? "public",
    replies: comment.at("replies").items().length,
  };
}
