import type { Readable } from "node:stream";
import type { ItemRow, MediaRow, PresentRow } from "../format.js";

/** A place that may not be known yet: `archive` null means that no archive holds the bytes. */
export type Unplaced<Row extends { readonly archive: string }> = Omit<Row, "archive"> & {
  readonly archive: string | null;
};

type DeletedRow = Extract<ItemRow, { readonly state: "deleted" }>;

/** What a row is compared with the snapshot before; null: as it was. For counts only. */
export type Change = "new" | "changed" | "deleted" | null;

/**
 * A row of the snapshot to be. With `write` its bytes go into this snapshot's archives, and `archive` says where they lie now (null: in no
 * archive); without it the row names the archive where they stay, which can't be null.
 */
export type Draft =
  | { readonly item: Unplaced<PresentRow>; readonly write: boolean; readonly change: Change }
  | { readonly item: DeletedRow; readonly change: Change }
  | { readonly medium: Unplaced<MediaRow>; readonly write: boolean; readonly change: Change };

/** Bytes that go into an archive. */
export type NewContent = Unplaced<MediaRow>;

/**
 * Gives the bytes of a content that is written; small ones best at once. They are checked against size and sha256 while they pass. A Buffer of up to
 * `AT_ONCE` bytes may lie in memory that the next call uses again.
 */
export type OpenContent = (content: NewContent) => Promise<Readable | Buffer>;
