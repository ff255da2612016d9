import type { ItemKind, Key } from "../../core/model/key.js";
import type { SnapshotId } from "../../storage/repository/format.js";
import type { SalvageCounts } from "../restore/salvaged-snapshot.js";

/** How thoroughly a repository is looked at. */
export type Thoroughness =
  /** Every byte of every file is read and hashed. */
  | { readonly kind: "bytes" }
  /** One of `of` equal shares of all contents; `turn` says which, from 0. */
  | { readonly kind: "sample"; readonly of: number; readonly turn: number }
  /** Names, sizes, manifests and lists of entries; no content is read. */
  | { readonly kind: "structure" };

/** A file of a repository that is not as it should be. */
export interface Problem {
  /** The file's name. */
  readonly file: string;
  /** The snapshot that it belongs to; null: none, or it can't be told. */
  readonly snapshot: SnapshotId | null;
  /** What is wrong, a clause. */
  readonly detail: string;
}

/** Bytes that can't be had as they should be. */
export interface Hit {
  readonly kind: ItemKind | "media";
  /** An item's key; of a medium its sha256. */
  readonly name: string;
  /** An item's title. */
  readonly title: string | null;
  /**
   * Of a medium: the images, videos and documents with these bytes, as far as they could be read.
   */
  readonly items: readonly Key[];
  readonly archive: string;
  readonly path: string;
  readonly sha256: string;
  readonly reason: string;
  /**
   * Another archive that `repair` wrote has the same bytes: they are restored from there, and
   * nothing is lost.
   */
  readonly repaired: boolean;
  /** The snapshots that name these bytes. */
  readonly snapshots: readonly SnapshotId[];
}

/**
 * A medium of the youngest snapshot whose bytes are as they came, and stop before the end of their
 * format.
 */
export interface ShortMedium {
  readonly sha256: string;
  /** `JPEG`, whose end is missing; null: of its format no end is looked at. */
  readonly format: string | null;
  /** The bytes that the site told, which are more than came; null: the format tells. */
  readonly toldSize: number | null;
  /** The images, videos and documents with these bytes. */
  readonly items: readonly Key[];
  /** The site itself has it so, as far as two runs or its length tell. */
  readonly confirmed: boolean;
}

/** How it stands with one snapshot. */
export interface SnapshotCheck {
  readonly snapshot: SnapshotId;
  /** Everything that it names can be restored, as far as was looked. */
  readonly whole: boolean;
  /** Items and contents that are lost to it; null: they can't be told, since it can't be read. */
  readonly items: number | null;
  readonly media: number | null;
  /** Why it can't be read, or not to its end; null: it was. */
  readonly unreadable: string | null;
  /**
   * Of one that can't be read to its end, what a restore takes of it; null: nothing, it can be
   * read, or nobody asked.
   */
  readonly salvage: SalvageCounts | null;
}

/** What was found in a repository. */
export interface RepositoryCheck {
  readonly thoroughness: Thoroughness;
  /** Files that were hashed, their bytes, and contents that were read by themselves. */
  readonly hashed: { readonly files: number; readonly bytes: number; readonly contents: number };
  /**
   * Rows that were looked at: those of the first snapshot, and then what each one has other than
   * the one before.
   */
  readonly rows: number;
  /**
   * Archives that were read as a whole, or that are otherwise than they were written (false): for
   * `proven.json`.
   */
  readonly proven: ReadonlyMap<string, boolean>;
  readonly problems: readonly Problem[];
  readonly hits: readonly Hit[];
  readonly snapshots: readonly SnapshotCheck[];
  readonly short: readonly ShortMedium[];
  /** What is odd and no damage: what a killed run left, that titles are not known without a key. */
  readonly notes: readonly string[];
  /** Is anything damaged or missing that `repair` did not put right? */
  readonly damaged: boolean;
}
