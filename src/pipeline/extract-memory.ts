import type { Key } from "../model/key.js";
import type { Workspace } from "../workspace/workspace.js";
import { readStored } from "./extract-stored.js";

/** When the last complete extract began: lists without tokens are asked for what changed since. */
export const EXTRACT_RECORD: Key = "record/extract";

/** UNIX seconds, or null when there was none yet. */
export async function lastCompleteExtract({ items }: Workspace): Promise<number | null> {
  const item = await readStored(items, EXTRACT_RECORD);
  return item?.kind === "record" ? item.body.readAt : null;
}

/** Remembered as an item, so that an archive of the workspace knows it too. */
export async function rememberCompleteExtract({ items }: Workspace, startedAt: number): Promise<void> {
  await items.put({
    key: EXTRACT_RECORD,
    kind: "record",
    revision: String(startedAt),
    raw: null,
    media: [],
    translations: [],
    issues: [],
    body: { path: "extract", query: {}, status: 200, readAt: startedAt, answer: null },
  });
}
