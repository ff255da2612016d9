import type { Comment } from "../../core/model/item.js";
import type { Key } from "../../core/model/key.js";
import { isObject } from "../../core/util/json.js";
import { JsonCursor, type ParseContext } from "./json-cursor.js";
import { readPerson } from "./people.js";

/** The comments of a guide or step (api-facts 7); replies are counted. */
export function readComments(list: JsonCursor): readonly Comment[] {
  return list.items().flatMap((place) => {
    const comment = place.object();
    const id = comment?.at("commentid").integer() ?? null;
    return comment === undefined || id === null ? [] : [readComment(comment, id)];
  });
}

function readComment(comment: JsonCursor, id: number): Comment {
  return {
    id,
    author: readPerson(comment.at("author")),
    date: comment.at("date").number(),
    text: comment.at("text_raw").text(),
    status: comment.at("status").textOrNull() ?? "public",
    replies: comment.at("replies").items().length,
  };
}

/** The identity of a row of `GET comments`. */
export function commentKey(row: JsonCursor): string {
  return `comment ${String(row.at("commentid").value)}`;
}

/**
 * Merges two lists; the second wins. `isWhole`: comments missing in it were deleted. `touched`: the
 * owners of new, changed and deleted comments.
 */
export function mergeCommentLists(
  before: unknown,
  after: unknown,
  isWhole: boolean,
): { readonly merged: readonly unknown[]; readonly touched: readonly Key[] } {
  const known = new Map(rowsOf(before).map((row) => [commentKey(row), row]));
  const touched = new Set<Key>();
  for (const row of rowsOf(after)) {
    const earlier = known.get(commentKey(row));
    const owner = commentedOn(row);
    if (owner !== null && (earlier === undefined || stateOf(earlier) !== stateOf(row))) touched.add(owner);
    known.set(commentKey(row), row);
  }
  for (const [key, row] of isWhole ? withoutRows(known, after) : []) {
    const owner = commentedOn(row);
    if (owner !== null) touched.add(owner);
    known.delete(key);
  }
  return { merged: [...known.values()].map(({ value }) => value), touched: [...touched] };
}

function withoutRows(
  known: ReadonlyMap<string, JsonCursor>,
  list: unknown,
): readonly (readonly [string, JsonCursor])[] {
  const there = new Set(rowsOf(list).map(commentKey));
  return [...known].filter(([key]) => !there.has(key));
}

function rowsOf(list: unknown): readonly JsonCursor[] {
  return Array.isArray(list) ? list.filter(isObject).map((row) => new JsonCursor(row, QUIET)) : [];
}

/** Only ids and states count here; guides report the faults of their comments. */
const QUIET: ParseContext = { key: "record/comments", endpoint: "GET comments", origin: "", report: () => undefined };

/** Only guides and steps show their comments (api-facts 7). */
function commentedOn(row: JsonCursor): Key | null {
  const context = row.at("context").value;
  const id = row.at("contextid").value;
  return (context === "guide" || context === "step") && typeof id === "number" ? `${context}/${id}` : null;
}

/** Without fields that change by themselves, such as the author's reputation. */
function stateOf(row: JsonCursor): string {
  const fields = ["text_raw", "status", "modified_date"].map((field) => row.at(field).value);
  return JSON.stringify([...fields, row.at("replies").items().map(stateOf)]);
}

/** A comment of the list of all comments, with its owner. */
export interface ListedComment {
  /** `wiki`, `guide` … */
  readonly context: string;
  readonly contextid: number;
  readonly comment: Comment;
}

/** The comments of `GET comments`, with their replies by age. */
export function readCommentList(answer: unknown): readonly ListedComment[] {
  return new JsonCursor(answer, QUIET).items().flatMap((row) => {
    const [context, contextid] = [row.at("context").value, row.at("contextid").value];
    const [comment] = withReplies([row]);
    if (comment === undefined || typeof context !== "string" || typeof contextid !== "number") return [];
    return [{ context, contextid, comment }];
  });
}

/** The comments on pages by the id of the page. */
export function commentsOnPages(listed: readonly ListedComment[]): ReadonlyMap<number, readonly Comment[]> {
  const pages = new Map<number, Comment[]>();
  for (const { context, contextid, comment } of listed) {
    if (context !== "wiki") continue;
    pages.set(contextid, [...(pages.get(contextid) ?? []), comment]);
  }
  return pages;
}

/** Replies by comment id; `raw` as an item has it. */
export function repliesInGuide(raw: unknown): ReadonlyMap<number, readonly Comment[]> {
  const guide = new JsonCursor(isObject(raw) ? raw["json"] : undefined, QUIET);
  const lists = [guide, ...guide.at("steps").items()].map((place) => place.at("comments").items());
  const all = withReplies(lists.flat());
  return new Map(
    all.flatMap(({ id, answers }) => (answers === undefined || answers.length === 0 ? [] : [[id, answers]])),
  );
}

function withReplies(rows: readonly JsonCursor[]): readonly Comment[] {
  return rows.flatMap((row) =>
    readComments(new JsonCursor([row.value], QUIET)).map((comment) => {
      const replies = readComments(row.at("replies"));
      return { ...comment, answers: replies.toSorted((one, other) => one.id - other.id) };
    }),
  );
}
