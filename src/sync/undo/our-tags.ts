import type { Key } from "../../core/model/key.js";
import type { UndoJob } from "./undo-job.js";

/**
 * The tags of a thing that are ours, from the ids of the operations that set them. Also those that the source has: whether one was set is not
 * known where the answer was lost.
 */
export async function ourTags({ past, workspace }: UndoJob, key: Key): Promise<readonly string[]> {
  const prefix = `${key}/tag/`;
  const { operations } = await past.ledger.loaded(key);
  const set = [...operations.keys()].filter((id) => id.startsWith(prefix)).map((id) => id.slice(prefix.length));
  const stored = await workspace.items.get(key);
  return [...set, ...(stored !== undefined && "tags" in stored.body ? stored.body.tags : [])];
}
