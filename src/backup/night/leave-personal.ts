import type { Source } from "../../core/contracts.js";
import type { Key } from "../../core/model/key.js";
import type { Failure } from "../../storage/workspace/failure-list.js";
import type { Workspace } from "../../storage/workspace/workspace.js";

/** What belongs into the snapshot of this night; data about people only when it was asked for this time. */
export type IsWanted = (key: Key) => boolean;

export function wantedBy({ takes }: Pick<Source, "takes">): IsWanted {
  return (key) => takes?.(key) ?? true;
}

/**
 * Forgets where data about people lie in the archives that this night does not take: its snapshot has no row of them, and no tombstone, since at the
 * site nothing is deleted. They stay in the workspace, and are written anew when they are asked for again.
 */
export function leavePersonal({ items, archived }: Pick<Workspace, "items" | "archived">, isWanted: IsWanted): void {
  const left: Key[] = [];
  for (const { key } of items.entries("record")) if (!isWanted(key) && archived.item(key) !== undefined) left.push(key);
  for (const { key } of archived.tombstones("known")) if (!isWanted(key)) left.push(key);
  archived.forget(left);
}

/** What of the site is not, or not newly, in the snapshot. */
export function failuresOf({ failures }: Pick<Workspace, "failures">, isWanted: IsWanted): readonly Failure[] {
  return [...failures.list("extract"), ...failures.list("media")].filter(({ key }) => isWanted(key));
}
