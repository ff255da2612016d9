import type { Readable } from "node:stream";
import type { Key } from "../../core/model/key.js";
import type { ItemRow, Manifest, MediaRow, Place, SnapshotId, SnapshotIndex } from "./format.js";

/**
 * A backup repository, open for reading; README.md is its format. Nothing here writes. Every method
 * that gives bytes checks their sha256 and throws ArchiveError (exit 6) naming the content and its
 * archive when they are damaged, cut or missing; (exit 2) when they are encrypted and no fitting
 * key was given.
 */
export interface Repository {
  readonly folder: string;
  readonly name: string;
  /** Oldest first; those of repair archives are not among them. */
  snapshots(): readonly SnapshotIndex[];
  /**
   * What is odd about the folder: archives without an index, an index that can't be read. For
   * people.
   */
  readonly oddities: readonly string[];
  /**
   * The snapshot that `at` names: see findSnapshot, where the words and what they mean stand.
   * Default `latest`. Throws ArchiveError (exit 10) when there is none, which names those that
   * there are.
   */
  find(at?: string): SnapshotIndex;
  manifest(snapshot: SnapshotId): Promise<Manifest>;
  /** In their order, streamed, checked against the manifest's count and sha256 at the end. */
  items(snapshot: SnapshotId): AsyncIterable<ItemRow>;
  media(snapshot: SnapshotId): AsyncIterable<MediaRow>;
  /** One row, without parsing the others. undefined: the snapshot never saw it. */
  item(snapshot: SnapshotId, key: Key): Promise<ItemRow | undefined>;
  medium(snapshot: SnapshotId, sha256: string): Promise<MediaRow | undefined>;
  /**
   * The bytes of a row, from its archive or a repair archive. The stream fails at its end when they
   * are not those of the sha256.
   */
  open(place: Place): Promise<Readable>;
  /** Lets go of all files. */
  close(): Promise<void>;
}

/**
 * A repository as those need it who look at all of it in a hurry, and at parts of large contents.
 */
export interface Browsable extends Repository {
  /** The rows of `items`, as many at a time as come together. Throws as that does. */
  itemBatches(snapshot: SnapshotId): AsyncIterable<readonly ItemRow[]>;
  /** Those of `media`. */
  mediaBatches(snapshot: SnapshotId): AsyncIterable<readonly MediaRow[]>;
  /**
   * The bytes of a row from `start` up to, not including, `end`, which must lie in its size: where
   * they lie, without what stands before and behind them as far as the archive allows. A part can't
   * be checked by a sha256; the stream fails where there are fewer bytes. Throws as `open` does.
   */
  openPart(place: Place, range: ByteRange): Promise<Readable>;
}

/** From `start` up to, not including, `end`, in bytes. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}
