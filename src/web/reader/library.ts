import type { Readable } from "node:stream";
import { FerryError } from "../../core/errors.js";
import type { SiteIdentity } from "../../core/model/identity.js";
import type { Item } from "../../core/model/item.js";
import type { ItemKind, Key } from "../../core/model/key.js";
import type { RepositoryKeys } from "../../storage/repository/read/repository-keys.js";

/** One or more snapshots of a site, in a repository, an archive or a workspace. Read only. */
export interface Library {
  readonly path: string;
  /** Oldest first, at least one; a workspace and an archive have one. See `OpenLibrary.refresh`. */
  readonly snapshots: readonly SnapshotFacts[];
  /** Findings about what was opened, in words. */
  readonly remarks: readonly string[];
  /**
   * undefined: unknown id. Throws ArchiveError, WorkspaceError, and UsageError where a key is
   * missing.
   */
  at(id: string): Promise<SnapshotView | undefined>;
  /**
   * The snapshots in which an item differs from the snapshot before, oldest first. Absent: the
   * library has one snapshot only. Throws ArchiveError, and UsageError where a key is missing.
   */
  versions?(key: Key): Promise<readonly ItemVersion[]>;
  close(): Promise<void>;
}

/** One snapshot of a library. */
export interface SnapshotFacts {
  /** A snapshot's id, `20261120T030000Z`, or `now` of a workspace; part of addresses. */
  readonly id: string;
  /** UNIX seconds: when the site was read. */
  readonly time: number;
  /** false: some items failed in that backup. */
  readonly complete: boolean;
}

/** A version of an item, from one snapshot on. */
export interface ItemVersion {
  readonly snapshot: SnapshotFacts;
  /** false: deleted. */
  readonly isThere: boolean;
}

export interface SnapshotView {
  readonly facts: SnapshotFacts;
  readonly site: SiteIdentity;
  /** Present items by key, streamed; opens no item. */
  rows(): AsyncIterable<SnapshotRow>;
  /** The same in batches, which is faster for readers of all rows. */
  rowBatches(): AsyncIterable<readonly SnapshotRow[]>;
  /**
   * Throws ArchiveError (exit 6) or WorkspaceError for damaged bytes, UsageError where no key opens
   * them.
   */
  item(row: Pick<SnapshotRow, "key">): Promise<Item>;
  row(key: Key): Promise<SnapshotRow | undefined>;
  medium(sha256: string): Promise<Medium | undefined>;
}

/** What is known of an item without opening it. */
export interface SnapshotRow {
  readonly key: Key;
  readonly kind: ItemKind;
  readonly title: string;
  /** Guides: the title of the category. */
  readonly category: string | null;
  /** UNIX seconds. */
  readonly modified: number | null;
  /** Of the item's bytes: equal digests mean equal items, in any snapshot. */
  readonly digest: string;
}

export interface Medium {
  /** Bytes. */
  readonly size: number;
  /**
   * Bytes from `start` up to, not including, `end`; by default the whole, checked against its
   * sha256. A part can't be checked.
   */
  open(range?: { readonly start: number; readonly end: number }): Promise<Readable>;
}

/** A library, with what commands show of it. */
export interface OpenLibrary extends Library {
  readonly kind: "repository" | "archive" | "workspace";
  /** The content is encrypted on the disk, so no copy of it may be kept in the clear. */
  readonly isEncrypted: boolean;
  /**
   * The snapshot that `--at` names, see `findSnapshot`; default: the last. Throws UsageError for
   * other words, ArchiveError (exit 10) where there is none.
   */
  find(at?: string): SnapshotFacts;
  /**
   * Looks for new and removed snapshots and for changes of a workspace. Resolves to the ids of
   * snapshots whose content changed. Cheap where nothing changed. Throws as opening does, and then
   * nothing changes.
   */
  refresh(): Promise<ReadonlySet<string>>;
}

export interface LibraryOptions {
  /** What opens encrypted archives. Default: nothing. */
  readonly keys?: RepositoryKeys;
}

/**
 * The reason for damage or a missing key, in words, since everything else can still be shown.
 * undefined: a defect.
 */
export function unreadable(error: unknown): string | undefined {
  return error instanceof FerryError ? error.message : undefined;
}
