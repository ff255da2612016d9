import type { Key } from "../core/model/key.js";
import { closure } from "../sync/extract-dependencies.js";
import { type Selection, takesEverything } from "../sync/select.js";
import type { SnapshotContents } from "./snapshot-contents.js";

/** The keys of what a selection takes of a snapshot, with what that needs; undefined: everything. */
export async function chosenKeys(
  contents: SnapshotContents,
  selection: Selection,
): Promise<ReadonlySet<Key> | undefined> {
  if (takesEverything(selection)) return undefined;
  const chosen: Key[] = [];
  for await (const { key } of contents.chosen(selection)) chosen.push(key);
  if (!selection.dependencies) return new Set(chosen);
  const reasons = await closure(chosen, contents.manifest.site, async (key) => {
    const row = await contents.row(key);
    return row === undefined ? undefined : contents.item(row);
  });
  return new Set(reasons.keys());
}
