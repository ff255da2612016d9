import type { Readable } from "node:stream";
import { FerryError } from "../../core/errors.js";
import type { SiteIdentity } from "../../core/model/identity.js";
import type { Item } from "../../core/model/item.js";
import type { ItemKind, Key } from "../../core/model/key.js";
import type { RepositoryKeys } from "../../storage/repository/read/repository-keys.js";

/**
 * What a reader opens: a site as it was at one or more times, in a repository, a single archive or
 * a workspace. Nothing here writes.
 */
export interface Library {
  /** The path that was opened, for people. */
  readonly path: string;
  /**
   * Oldest first, at least one; a workspace and a single archive have one. See
   * `OpenLibrary.refresh`.
   */
  readonly times: readonly TimeFacts[];
  /** What is odd about what was opened, for people. */
  readonly remarks: readonly string[];
  /**
   * The site at one time. Throws ArchiveError, WorkspaceError or, for the lack of a key, UsageError
   * as what was opened does; an unknown id is undefined.
   */
  at(id: string): Promise<SnapshotView | undefined>;
  /**
   * The times at which an item was not as at the one before, oldest first; empty: none has it.
   * Default: the library has one time only. Throws ArchiveError, and UsageError for the lack of a
   * key.
   */
  versions?(key: Key): Promise<readonly ItemVersion[]>;
  /** Lets go of all files. */
  close(): Promise<void>;
}

/** One time that a library knows. */
export interface TimeFacts {
  /** A snapshot's id, `20261120T030000Z`; of a workspace `now`. It is a part of addresses. */
  readonly id: string;
  /** UNIX seconds: when the site was read. */
  readonly time: number;
  /** false: some items failed that night. */
  readonly complete: boolean;
}

/** An item from one time on. */
export interface ItemVersion {
  readonly time: TimeFacts;
  /** false: it was deleted. */
  readonly isThere: boolean;
}

/** The site at one time. */
export interface SnapshotView {
  readonly facts: TimeFacts;
  readonly site: SiteIdentity;
  /** What is present, by key, streamed; no item is opened for it. */
  rows(): AsyncIterable<SnapshotRow>;
  /** The same, as many at a time as come together: sooner for who wants all of them. */
  rowBatches(): AsyncIterable<readonly SnapshotRow[]>;
  /**
   * Throws ArchiveError (exit 6) or WorkspaceError where its bytes are damaged, UsageError where no
   * key opens them.
   */
  item(row: Pick<SnapshotRow, "key">): Promise<Item>;
  /** undefined: it is not there. */
  row(key: Key): Promise<SnapshotRow | undefined>;
  /** undefined: there is no such content. */
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
  /** Of the item's bytes: items of equal digests are equal, at whatever time. */
  readonly digest: string;
}

/** The bytes of a media item. */
export interface Medium {
  /** Bytes. */
  readonly size: number;
  /**
   * From `start` up to, not including, `end`; the whole, checked against its sha256, by default. A
   * part is read where it lies, without what stands before and behind it as far as the archive
   * allows, and can't be checked.
   */
  open(range?: { readonly start: number; readonly end: number }): Promise<Readable>;
}

/** A library, with what a command tells of it. */
export interface OpenLibrary extends Library {
  readonly kind: "repository" | "archive" | "workspace";
  /**
   * Its content lies encrypted on the disk, so that nobody else may keep a copy of it in the clear.
   */
  readonly isEncrypted: boolean;
  /**
   * The time that the words of `--at` name, see `findSnapshot`; default: the last one. Throws
   * UsageError for other words, ArchiveError (exit 10) where there is none.
   */
  find(at?: string): TimeFacts;
  /**
   * Looks at what was opened as it is now: snapshots that came or went, a workspace that changed;
   * `times`, `at`, `find` tell of it from then on. Resolves to the ids of times that hold something
   * else than before. Costs little where nothing changed, so that it may come before every page.
   * Throws as opening does, and all stays as it was.
   */
  refresh(): Promise<ReadonlySet<string>>;
}

export interface LibraryOptions {
  /** What opens encrypted archives; default: nothing. */
  readonly keys?: RepositoryKeys;
}

/**
 * Why an item or a content can't be read, for people: damage, or no key that opens its archive. All
 * else can still be read, so pages and lists tell it. undefined: it is a defect.
 */
export function unreadable(error: unknown): string | undefined {
  return error instanceof FerryError ? error.message : undefined;
}
