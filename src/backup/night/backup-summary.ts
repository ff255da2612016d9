import type { SnapshotIndex } from "../../storage/repository/format.js";
import type { Failure } from "../../storage/workspace/failure-list.js";
import type { ExtractSummary } from "../../sync/extract-summary.js";

/** What a backup did. */
export interface BackupSummary {
  readonly folder: string;
  readonly index: SnapshotIndex;
  /** Bytes of the files that were written. */
  readonly bytes: number;
  /** Milliseconds from the first request to the snapshot. */
  readonly duration: number;
  readonly extracted: ExtractSummary;
  /** What of the site is not, or not newly, in it. */
  readonly failures: readonly Failure[];
  /** What a person should know beside. */
  readonly warnings: readonly string[];
}
