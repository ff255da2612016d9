import type { Key } from "../../core/model/key.js";
import { isObject, Place, type Reading } from "./place.js";

/** What makes two rows of `GET comments` the same one. */
export function commentKey(row: Place): string {
  return `comment ${String(row.at("commentid").value)}`;
}

/**
 * Two lists of comments as one: of a comment in both, the one of the second, in the order of the first appearance. `isWhole`: what the second
 * does not have is gone. `touched`: what the comments stand on that are new in the second list, another there, or gone.
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
    const goal = commentedOn(row);
    if (goal !== null && (earlier === undefined || stateOf(earlier) !== stateOf(row))) touched.add(goal);
    known.set(commentKey(row), row);
  }
  for (const [key, row] of isWhole ? withoutRows(known, after) : []) {
    const goal = commentedOn(row);
    if (goal !== null) touched.add(goal);
    known.delete(key);
  }
  return { merged: [...known.values()].map(({ value }) => value), touched: [...touched] };
}

function withoutRows(known: ReadonlyMap<string, Place>, list: unknown): readonly (readonly [string, Place])[] {
  const there = new Set(rowsOf(list).map(commentKey));
  return [...known].filter(([key]) => !there.has(key));
}

function rowsOf(list: unknown): readonly Place[] {
  return Array.isArray(list) ? list.filter(isObject).map((row) => new Place(row, QUIET)) : [];
}

/** Only ids and states are looked at here; the guides that show the comments report what is odd about them. */
const QUIET: Reading = { key: "record/comments", endpoint: "GET comments", origin: "", report: () => undefined };

/** Guides and steps show their comments; what else they stand on (wikis, posts: api-facts 7) does not. */
function commentedOn(row: Place): Key | null {
  const context = row.at("context").value;
  const id = row.at("contextid").value;
  return (context === "guide" || context === "step") && typeof id === "number" ? `${context}/${id}` : null;
}

/** Without what changes by itself, as the author's reputation does. */
function stateOf(row: Place): string {
  const fields = ["text_raw", "status", "modified_date"].map((field) => row.at(field).value);
  return JSON.stringify([...fields, row.at("replies").items().map(stateOf)]);
}
