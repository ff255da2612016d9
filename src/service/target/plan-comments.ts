import type { Loaded, Operation } from "../../core/contracts.js";
import type { Item } from "../../core/model/item.js";
import { operation } from "./operation.js";
import type { PlanOptions } from "./plan-options.js";
import { remarksIn } from "./remarks.js";

/** The comments that are to be posted, and those that were and are gone at the source: nothing is sent of these, and they are listed. */
export function planComments(item: Item, loaded: Loaded, label: string, options: PlanOptions): readonly Operation[] {
  if (options.postsComments !== true) return [];
  const idOf = (comment: number): string => `${item.key}/comment/${comment}`;
  const remarks = remarksIn(item);
  const posted = remarks
    .filter(({ refusal }) => refusal === null)
    .map(({ comment, of, parent }) => ({
      id: idOf(comment.id),
      call: {
        verb: "post-comment",
        of,
        comment: comment.id,
        parent: parent === null ? null : idOf(parent.id),
        text: comment.text,
      } as const,
    }));
  const wanted = new Set(posted.map(({ id }) => id));
  const prefix = idOf(0).slice(0, -1);
  const gone = [...loaded.operations.keys()]
    .filter((id) => id.startsWith(prefix) && !wanted.has(id))
    .map((id) => ({
      id,
      call: {
        verb: "post-comment",
        of: item.key,
        comment: Number(id.slice(prefix.length)),
        parent: null,
        text: null,
      } as const,
    }));
  return [...posted, ...gone].map(({ id, call }) =>
    operation(
      { id, item: item.key, label: `${label}, comment ${call.comment}`, call, phase: "finish" },
      options.output,
    ),
  );
}
