import { mergeCommentLists } from "../service/wire/comment-list.js";
import type { Item } from "../core/model/item.js";
import { type Key, kindOf } from "../core/model/key.js";
import { digest } from "../core/util/digest.js";
import type { ExtractRun } from "./extract-run.js";
import { readStored } from "./extract-stored.js";

export const COMMENTS: Key = "record/comments";

/** The comments of a site, and what new ones stand on. */
export interface CommentNews {
  /** To be stored when everything that they stand on was read: a run that is killed before sees them again. */
  readonly record: Item;
  /** The guides that they stand on. */
  readonly touched: ReadonlySet<Key>;
}

/** Is it the comments that changed since a time, and not all of them? */
export function isChanges(item: Item): boolean {
  return item.kind === "record" && item.body.query["modifiedSince"] !== undefined;
}

/**
 * A comment makes no revision, so no token shows it. The list of comments since the last extract does: what is new or another in
 * it than in the stored list makes its guide stale. An answer that holds changes only is put together with the stored list; one that has all
 * comments takes its place, and those that are gone make their guides stale too.
 */
export async function commentNews(run: ExtractRun, fresh: Item): Promise<CommentNews> {
  const { items } = run.workspace;
  const stored = await readStored(items, fresh.key);
  if (fresh.kind !== "record" || fresh.body.answer === null) return { record: fresh, touched: new Set() };
  const before = stored?.kind === "record" ? stored.body.answer : undefined;
  const { merged, touched } = mergeCommentLists(before, fresh.body.answer, !isChanges(fresh));
  const record: Item = { ...fresh, revision: digest(merged), body: { ...fresh.body, answer: merged } };
  return { record, touched: before === undefined ? new Set() : await guidesOf(run, touched) };
}

/** Comments on steps name the step only; whose it is, the stored guides know. */
async function guidesOf(run: ExtractRun, touched: readonly Key[]): Promise<ReadonlySet<Key>> {
  const guides = new Set(touched.filter((key) => kindOf(key) === "guide"));
  const steps = new Set(touched.filter((key) => kindOf(key) === "step"));
  if (steps.size === 0) return guides;
  const { items } = run.workspace;
  for (const { key } of items.entries("guide")) {
    const item = await readStored(items, key);
    if (item?.kind === "guide" && item.body.steps.some((step) => steps.has(step.key))) guides.add(key);
  }
  return guides;
}
