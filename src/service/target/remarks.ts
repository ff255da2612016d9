import type { Comment, Item } from "../../core/model/item.js";
import type { Key } from "../../core/model/key.js";

export interface Remark {
  readonly comment: Comment;
  readonly of: Key;
  /** In the fields of the model: `comments`, `steps[2].comments`. */
  readonly path: string;
  /** The comment that it answers; one level only (api-facts 7). */
  readonly parent: Comment | null;
  /** Why it can't be posted; null: it can. */
  readonly refusal: string | null;
}

/** Characters without surrounding blanks (api-facts 7). */
const SHORTEST = 12;
const LONGEST = 4096;

/** Hidden comments must not become visible. */
const HIDDEN: ReadonlySet<string> = new Set(["deleted", "private"]);

/** Each comment of an item once, and each reply after its comment. */
export function remarksIn(item: Item): readonly Remark[] {
  const seen = new Set<number>();
  return placesIn(item)
    .flatMap(({ comments, ...place }) => comments.flatMap((comment) => threadOf(comment, place)))
    .filter(({ comment }) => !seen.has(comment.id) && seen.add(comment.id));
}

interface Place {
  readonly of: Key;
  readonly path: string;
}

function placesIn(item: Item): readonly (Place & { readonly comments: readonly Comment[] })[] {
  if (item.kind === "guide") {
    const steps = item.body.steps.map((step, index) => ({
      of: step.key,
      path: `steps[${index}].comments`,
      comments: step.comments,
    }));
    return [{ of: item.key, path: "comments", comments: item.body.comments }, ...steps];
  }
  if (item.kind !== "wiki" && item.kind !== "category") return [];
  return [{ of: item.key, path: "comments", comments: item.body.comments ?? [] }];
}

function threadOf(comment: Comment, place: Place): readonly Remark[] {
  const own = refusalOf(comment);
  const answers = comment.answers ?? [];
  return [
    { ...place, comment, parent: null, refusal: own },
    ...answers.map((answer) => {
      const refusal = own === null ? refusalOf(answer) : "the comment that it answers is not posted";
      return { ...place, comment: answer, parent: comment, refusal };
    }),
  ];
}

function refusalOf({ status, text }: Comment): string | null {
  if (HIDDEN.has(status)) return `it is ${status} at the source`;
  const length = [...text.trim()].length;
  if (length >= SHORTEST && length <= LONGEST) return null;
  return `it has ${length} characters, and the service accepts ${SHORTEST} to ${LONGEST}`;
}
