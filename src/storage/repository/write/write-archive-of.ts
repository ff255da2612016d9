import type { ArchiveFile } from "../format.js";
import { outlineOf, sortDrafts, withNews } from "./drafted.js";
import { manifestEntries } from "./manifest-entries.js";
import type { SnapshotPlan } from "./snapshot-plan.js";
import { writeAlone } from "./write-files.js";

/** A snapshot that becomes one file. It stands in no repository: `folder` counts for nothing. */
export type ArchivePlan = Omit<
  SnapshotPlan,
  "kind" | "folder" | "archives" | "partBytes" | "partEntries" | "beforeCommit"
>;

/**
 * Writes a snapshot as one full archive, in one part however large, that names no other: whole under `path`, or as it was there before. Its rows
 * name it as it would be called in a repository. Every draft must have `write`. Throws as `writeSnapshot` does.
 */
export async function writeArchiveOf(plan: ArchivePlan, path: string): Promise<ArchiveFile> {
  const drafted = await sortDrafts(plan.drafts, plan.scratch);
  try {
    const outline = withNews(await outlineOf(drafted, WHOLE), plan.counts);
    const whole: SnapshotPlan = { ...plan, kind: "full", folder: "", archives: new Map() };
    return await writeAlone(whole, drafted, outline, {
      path,
      ending: (written) => manifestEntries({ plan: whole, drafted, outline, ...written }),
    });
  } finally {
    await drafted.close();
  }
}

const WHOLE = { bytes: Number.POSITIVE_INFINITY, entries: Number.POSITIVE_INFINITY };
