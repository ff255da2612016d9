import type { Comment } from "../../core/model/guide.js";
import type { Item } from "../../core/model/item.js";
import type { Loss } from "./loss.js";
import { type Remark, remarksIn } from "./remarks.js";

/** What of the comments of an item is not as it was: all of them, or author and date of those that are posted. */
export function commentLosses(item: Item, posts: boolean): readonly Loss[] {
  const remarks = remarksIn(item);
  return posts ? remarks.flatMap(lossesOf) : notCarried(remarks);
}

function lossesOf(remark: Remark): readonly Loss[] {
  const { comment, path, refusal } = remark;
  const unread = comment.replies - (comment.answers?.length ?? 0);
  return [
    refusal === null
      ? {
          code: "comment-author",
          path: `${path}[${comment.id}].author`,
          message: `${nameOf(remark)} is posted in the name of the account, with the date of the posting.`,
        }
      : {
          code: "comment-not-posted",
          path,
          message: `${nameOf(remark)} is not posted: ${refusal}.`,
          remedy: "It is whole in the workspace.",
        },
    ...(refusal === null && unread > 0 ? [unreadReplies(remark, unread)] : []),
  ];
}

function unreadReplies(remark: Remark, unread: number): Loss {
  return {
    code: "comment-not-posted",
    path: remark.path,
    message: `${nameOf(remark)} has ${unread} replies that are not posted: the workspace does not have them.`,
    remedy: "Read the source again: guideferry extract SITE --refresh all",
  };
}

function nameOf({ comment, parent }: Remark): string {
  const what = parent === null ? `Comment ${comment.id}` : `Reply ${comment.id} to comment ${parent.id}`;
  return `${what} by ${authorOf(comment)}${dateOf(comment)}`;
}

function dateOf({ date }: Comment): string {
  return date === null ? "" : ` of ${new Date(date * 1000).toISOString().slice(0, 10)}`;
}

function authorOf({ author }: Comment): string {
  return author === null || author.name === "" ? "nobody" : author.name;
}

/** One loss a place. */
function notCarried(remarks: readonly Remark[]): readonly Loss[] {
  const paths = [...new Set(remarks.map(({ path }) => path))];
  return paths.map((path) => {
    const comments = remarks.filter((remark) => remark.path === path).map(({ comment }) => comment);
    return {
      code: "comments",
      path,
      message: `${comments.length} comment(s) by ${[...new Set(comments.map(authorOf))].join(", ")} are not carried: the service would give them a new author and date.`,
      remedy: "They are whole in the workspace. --post-comments posts them in the name of the account.",
    };
  });
}
