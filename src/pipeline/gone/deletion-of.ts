import type { Operation, Written } from "../../contracts.js";
import type { Key } from "../../model/key.js";

/** The operation that takes a thing away. `tags`: those that we put on it; one that has others is left. */
export function deletionOf({ key, id }: Pick<Written, "key" | "id">, tags?: readonly string[]): Operation {
  return {
    id: deletionId(key),
    item: key,
    label: `${key}, deleted`,
    hash: `deleted ${id}`,
    phase: "publish",
    needs: [],
    call: { verb: "delete-item", of: key, ...(tags === undefined ? {} : { tags }) },
  };
}

/** Its id. */
export function deletionId(key: Key): string {
  return `${key}/delete`;
}
