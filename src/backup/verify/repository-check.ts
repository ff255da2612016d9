import type { ItemKind, Key } from "../../core/model/key.js";
import type { SnapshotId } from "../../storage/repository/format.js";
import type { SalvageCounts } from "../restore/salvaged-snapshot.js";

/** How thoroughly a repository is checked. */
export type Thoroughness =
  /** Reads and hashes every byte of every file. */
  | { readonly kind: "bytes" }
  /** Reads one of `of` equal shares of all contents: the share number `turn`, from 0. */
  | { readonly kind: "sample"; readonly of: number; readonly turn: number }
  /** Checks names, sizes, manifests and lists of entries; reads no content. */
  | { readonly kind: "structure" };

/** A damaged or missing file of a repository. */
export interface Problem {
  readonly file: string;
  /** The snapshot of the file; null: none, or unknown. */
  readonly snapshot: SnapshotId | null;
  /** What is wrong, a clause. */
  readonly detail: string;
}

/** A damaged or missing content. */
export interface Hit {
  readonly kind: ItemKind | "media";
  /** The key of an item, or the sha256 of a medium. */
  readonly name: string;
  /** The title of an item; null for a medium. */
  readonly title: string | null;
  /** For a medium: the readable images, videos and documents with these bytes. */
  readonly items: readonly Key[];
  readonly archive: string;
  readonly path: string;
  readonly sha256: string;
  readonly reason: string;
  /** A repair archive has the bytes, so nothing is lost. */
  readonly repaired: boolean;
  readonly snapshots: readonly SnapshotId[];
}

/** A medium of the latest snapshot that was incomplete when it was fetched. */
export interface ShortMedium {
  readonly sha256: string;
  /** The format whose end is missing, as `JPEG`; null: ends of its format are not checked. */
  readonly format: string | null;
  /** The larger size in bytes that the site reported; null: found by the format. */
  readonly toldSize: number | null;
  readonly items: readonly Key[];
  /** The file on the site is incomplete too, by two runs or its length. */
  readonly confirmed: boolean;
}

/** The result for one snapshot. */
export interface SnapshotCheck {
  readonly snapshot: SnapshotId;
  /** Everything in it can be restored, as far as it was checked. */
  readonly whole: boolean;
  /** Numbers of lost items and media; null: unknown, since it can't be read. */
  readonly items: number | null;
  readonly media: number | null;
  /** Why it can't be read to the end; null: it can. */
  readonly unreadable: string | null;
  /** What a restore can salvage; null: nothing, not needed, or not requested. */
  readonly salvage: SalvageCounts | null;
}

/** The result of checking a repository. */
export interface RepositoryCheck {
  readonly thoroughness: Thoroughness;
  /** Hashed files, their bytes, and contents that were read singly. */
  readonly hashed: { readonly files: number; readonly bytes: number; readonly contents: number };
  /** Checked rows: those of the first snapshot, and the changes in each later one. */
  readonly rows: number;
  /** For `proven.json`: true for archives that were read and are sound, false for damaged ones. */
  readonly proven: ReadonlyMap<string, boolean>;
  readonly problems: readonly Problem[];
  readonly hits: readonly Hit[];
  readonly snapshots: readonly SnapshotCheck[];
  readonly short: readonly ShortMedium[];
  /** Remarks that are not damage: leftovers of a killed run, checks that need a key. */
  readonly notes: readonly string[];
  /** Is anything damaged or missing that is not repaired? */
  readonly damaged: boolean;
}
