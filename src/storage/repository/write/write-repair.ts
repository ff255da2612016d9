import type { SnapshotIndex } from "../format.js";
import type { NewContent } from "./draft.js";
import { outlineOf, sortDrafts } from "./drafted.js";
import { PART_BYTES, PART_ENTRIES } from "./plan-parts.js";
import { type FilesPlan, writeFiles } from "./write-files.js";

/** Bytes that are to be kept beside archives which lost them. */
export interface RepairPlan extends Omit<FilesPlan, "kind"> {
  /** Each once, with the path that its row has; in any order. */
  readonly contents: AsyncIterable<NewContent> | Iterable<NewContent>;
  readonly scratch: string;
}

/**
 * Writes contents into a repair archive with an index of its own; killed anywhere it is there whole or not at all. Throws as
 * `writeSnapshot` does.
 */
export async function writeRepairArchive(plan: RepairPlan): Promise<SnapshotIndex> {
  const drafted = await sortDrafts(draftsOf(plan.contents), plan.scratch);
  try {
    const outline = await outlineOf(drafted, { bytes: PART_BYTES, entries: PART_ENTRIES });
    return await writeFiles({ ...plan, kind: "repair" }, drafted, outline, async function* () {
      // It has no manifest: its contents are found by their names.
    });
  } finally {
    await drafted.close();
  }
}

/** As media, whatever they are: only bytes count here. Items of one sha256 are one content as well. */
async function* draftsOf(contents: RepairPlan["contents"]) {
  for await (const medium of contents) yield { medium, write: true, change: null } as const;
}
