import type { Operation, Written } from "../../core/contracts.js";
import type { CallOf } from "../../core/model/call.js";
import type { Key } from "../../core/model/key.js";

/** What a deletion goes by beside the thing itself. */
type Beside = Pick<CallOf<"delete-item">, "tags" | "gone">;

/** The operation that takes a thing away. */
export function deletionOf({ key, id }: Pick<Written, "key" | "id">, beside: Beside = {}): Operation {
  return {
    id: deletionId(key),
    item: key,
    label: `${key}, deleted`,
    hash: `deleted ${id}`,
    phase: "publish",
    needs: [],
    call: { verb: "delete-item", of: key, ...beside },
  };
}

/** Its id. */
export function deletionId(key: Key): string {
  return `${key}/delete`;
}
