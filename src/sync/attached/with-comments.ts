import { type ListedComment, readCommentList, repliesInGuide } from "../../service/wire/replies.js";
import type { Transform } from "../../core/contracts.js";
import type { Comment } from "../../core/model/guide.js";
import type { Item } from "../../core/model/item.js";
import type { ItemReader } from "../../storage/workspace/item-store.js";
import { COMMENTS } from "../extract-comments.js";

/**
 * What puts comments on the pages that they are about, and replies behind the comments that they answer: a page's own answer has none, and
 * a guide's item counts its replies only. Both come from the answers that are kept: the guide's own, and the list of all comments.
 */
export async function withComments(items: ItemReader): Promise<Transform> {
  const record = await items.get(COMMENTS);
  const listed = record?.kind === "record" ? readCommentList(record.body.answer) : [];
  const onPages = commentsOnPages(listed);
  const answers = new Map(listed.map(({ comment }) => [comment.id, comment.answers ?? []]));
  return (item) => [complete(item, onPages, answers)];
}

type Answers = ReadonlyMap<number, readonly Comment[]>;

function complete(item: Item, onPages: ReadonlyMap<number, readonly Comment[]>, listed: Answers): Item {
  if (item.kind === "guide") {
    const own = repliesInGuide(item.raw);
    const replied = (comments: readonly Comment[]): readonly Comment[] =>
      comments.map((comment) => ({ ...comment, answers: own.get(comment.id) ?? listed.get(comment.id) ?? [] }));
    const steps = item.body.steps.map((step) => ({ ...step, comments: replied(step.comments) }));
    return { ...item, body: { ...item.body, steps, comments: replied(item.body.comments) } };
  }
  if (item.kind !== "wiki" && item.kind !== "category") return item;
  const comments = item.body.id === null ? undefined : onPages.get(item.body.id);
  return comments === undefined ? item : ({ ...item, body: { ...item.body, comments } } as Item);
}

function commentsOnPages(listed: readonly ListedComment[]): ReadonlyMap<number, readonly Comment[]> {
  const pages = new Map<number, Comment[]>();
  for (const { context, contextid, comment } of listed) {
    if (context !== "wiki") continue;
    pages.set(contextid, [...(pages.get(contextid) ?? []), comment]);
  }
  return pages;
}
