import type { Comment } from "../../core/model/guide.js";
import { readComments } from "./comment.js";
import { isObject, Place, type Reading } from "./place.js";

/** What is odd about them, the item that shows them told when it was read. */
const QUIET: Reading = { key: "record/comments", endpoint: "GET comments", origin: "", report: () => undefined };

/** A comment of the list of all comments, with where it stands. */
export interface ListedComment {
  /** `wiki`, `guide` … */
  readonly context: string;
  readonly contextid: number;
  readonly comment: Comment;
}

/** The comments of `GET comments`, with their replies in the order of their making. */
export function readCommentList(answer: unknown): readonly ListedComment[] {
  return new Place(answer, QUIET).items().flatMap((row) => {
    const [context, contextid] = [row.at("context").value, row.at("contextid").value];
    const [comment] = withReplies([row]);
    if (comment === undefined || typeof context !== "string" || typeof contextid !== "number") return [];
    return [{ context, contextid, comment }];
  });
}

/** The comments with replies that a guide's own answer shows, by their ids; `raw` as an item keeps it. */
export function repliesInGuide(raw: unknown): ReadonlyMap<number, readonly Comment[]> {
  const guide = new Place(isObject(raw) ? raw["json"] : undefined, QUIET);
  const lists = [guide, ...guide.at("steps").items()].map((place) => place.at("comments").items());
  const all = withReplies(lists.flat());
  return new Map(
    all.flatMap(({ id, answers }) => (answers === undefined || answers.length === 0 ? [] : [[id, answers]])),
  );
}

function withReplies(rows: readonly Place[]): readonly Comment[] {
  return rows.flatMap((row) =>
    readComments(new Place([row.value], QUIET)).map((comment) => {
      const replies = readComments(row.at("replies"));
      return { ...comment, answers: replies.toSorted((one, other) => one.id - other.id) };
    }),
  );
}
