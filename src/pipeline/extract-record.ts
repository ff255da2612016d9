import type { Item } from "../model/item.js";
import type { Key } from "../model/key.js";
import { endsRun, reasonOf, remedyOf } from "./extract-errors.js";
import type { ExtractRun } from "./extract-run.js";

/** Asks for an answer that is kept as it came; undefined when it failed, which is written down. */
export async function readRecord(run: ExtractRun, key: Key): Promise<Item | undefined> {
  const { source, control, workspace, counters } = run;
  try {
    const item = await source.read(key, control.abort);
    workspace.failures.clear("extract", key);
    return item;
  } catch (error) {
    if (endsRun(error, control)) throw error;
    counters.kinds.record.failed += 1;
    workspace.failures.add("extract", key, reasonOf(error), remedyOf(error));
    control.brake.failure(error);
    return undefined;
  }
}

/** Stores it, unless it is there as it is. */
export async function storeRecord({ workspace, counters }: ExtractRun, item: Item): Promise<void> {
  const entry = workspace.items.entry(item.key);
  if (entry?.state === "present" && entry.revision === item.revision) {
    counters.kinds.record.unchanged += 1;
    return;
  }
  await workspace.items.put(item);
  counters.kinds.record.read += 1;
}
