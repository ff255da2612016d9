import type { SnapshotIndex } from "../format.js";
import { outlineOf, sortDrafts, withNews } from "./drafted.js";
import { manifestEntries } from "./manifest-entries.js";
import { PART_BYTES, PART_ENTRIES } from "./plan-parts.js";
import type { SnapshotPlan } from "./snapshot-plan.js";
import { writeFiles } from "./write-files.js";

export type { SnapshotPlan } from "./snapshot-plan.js";

/**
 * Writes a snapshot in the order of README.md, "The folder"; killed anywhere it is there whole or not at all, as soon as `recover` ran. Throws
 * ContentError when a content is not what its row says, ArchiveError for the disk (exit 4 when it is full, before and while writing),
 * and what `drafts`, `open` and `beforeCommit` throw; no snapshot is there then.
 */
export async function writeSnapshot(plan: SnapshotPlan): Promise<SnapshotIndex> {
  const drafted = await sortDrafts(plan.drafts, plan.scratch);
  try {
    const limits = { bytes: plan.partBytes ?? PART_BYTES, entries: plan.partEntries ?? PART_ENTRIES };
    const outline = withNews(await outlineOf(drafted, limits), plan.counts);
    return await writeFiles(plan, drafted, outline, (written) =>
      manifestEntries({ plan, drafted, outline, ...written }),
    );
  } finally {
    await drafted.close();
  }
}
