import type { SiteIdentity } from "../../../core/contracts.js";
import type { ArchiveFile, Manifest, ManifestNotes, SnapshotCounts, SnapshotKind } from "../format.js";
import type { Draft } from "./draft.js";
import type { FilesPlan } from "./write-files.js";

/** A snapshot that is to be written. */
export interface SnapshotPlan extends Omit<FilesPlan, "kind">, ManifestNotes {
  readonly kind: SnapshotKind;
  readonly site: SiteIdentity;
  readonly failures: Manifest["failures"];
  readonly privateIncluded: Manifest["privateIncluded"];
  readonly personalData: readonly string[];
  /** Every row of the whole state, in any order; read once. */
  readonly drafts: AsyncIterable<Draft> | Iterable<Draft>;
  /** What it brought when it was first made; default: as the drafts say. */
  readonly counts?: Pick<SnapshotCounts, "new" | "changed" | "deleted" | "newMedia">;
  /** The files of other snapshots that drafts name, by name: for the manifest. */
  readonly archives: ReadonlyMap<string, ArchiveFile>;
  /** A folder for rows that are being sorted; they hold titles. */
  readonly scratch: string;
  /** Default PART_BYTES and PART_ENTRIES. */
  readonly partBytes?: number;
  readonly partEntries?: number;
}
