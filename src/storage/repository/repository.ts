import type { Readable } from "node:stream";
import type { ItemKind, Key } from "../../core/model/key.js";
import type { ItemRow, Manifest, MediaRow, Place, SnapshotId, SnapshotIndex } from "./format.js";

/**
 * A backup repository, open for reading; docs/design/repository.md describes the format. Every
 * method that returns bytes checks their sha256. It throws ArchiveError (exit 6), with content and
 * archive, when they are damaged, cut or missing, and (exit 2) when no given key decrypts them.
 */
export interface Repository {
  /** The folder, archive or `s3://bucket/prefix`, for messages. */
  readonly address: string;
  readonly name: string;
  /** Oldest first, without repair archives. */
  snapshots(): readonly SnapshotIndex[];
  /** Messages about the folder: archives without an index, an unreadable index. */
  readonly warnings: readonly string[];
  /** The snapshot at a time, see findSnapshot. Default `latest`. Throws ArchiveError (exit 10). */
  find(at?: string): SnapshotIndex;
  manifest(snapshot: SnapshotId): Promise<Manifest>;
  /** Sorted and streamed; at the end checked against the manifest's count and sha256. */
  items(snapshot: SnapshotId): AsyncIterable<ItemRow>;
  media(snapshot: SnapshotId): AsyncIterable<MediaRow>;
  /** Rows of these kinds, sorted; others are neither parsed nor checked. Absent: use `items`. */
  itemsOf?(snapshot: SnapshotId, kinds: ReadonlySet<ItemKind>): AsyncIterable<ItemRow>;
  /** The keys of present items of these kinds, in batches: faster than their rows. As `itemsOf`. */
  keysOf?(snapshot: SnapshotId, kinds: ReadonlySet<ItemKind>): AsyncIterable<readonly Key[]>;
  /** One row, without parsing the others. undefined: the snapshot has no such row. */
  item(snapshot: SnapshotId, key: Key): Promise<ItemRow | undefined>;
  medium(snapshot: SnapshotId, sha256: string): Promise<MediaRow | undefined>;
  /**
   * The bytes of a row, from its archive or a repair archive. The stream fails at its end when they
   * do not match the sha256.
   */
  open(place: Place): Promise<Readable>;
  /** Closes all files. */
  close(): Promise<void>;
}

/** A repository with fast access to all rows, and to parts of large contents. */
export interface Browsable extends Repository {
  /** The rows of `items` in batches. */
  itemBatches(snapshot: SnapshotId): AsyncIterable<readonly ItemRow[]>;
  /** The rows of `media` in batches. */
  mediaBatches(snapshot: SnapshotId): AsyncIterable<readonly MediaRow[]>;
  /**
   * A range of the bytes of a row, within its size. If the packing allows it, only these bytes are
   * read. A part has no sha256 to check; the stream fails if bytes are missing.
   */
  openPart(place: Place, range: ByteRange): Promise<Readable>;
}

/** Bytes from `start` to before `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}
