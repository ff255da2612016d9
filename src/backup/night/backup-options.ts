import type { DeletionLimit } from "./deletion-brake.js";

/** How a backup is made. */
export interface BackupOptions {
  /** What the files are called; null: the name of the repository, or the host of the site. */
  readonly name: string | null;
  /** Bytes of contents in a part. */
  readonly partBytes: number;
  /** Every so many snapshots a full one; the first one always is. */
  readonly fullEvery: number;
  readonly maxDeletions: DeletionLimit;
  /** The account need not be an admin: private guides are left out. */
  readonly publicOnly: boolean;
}
