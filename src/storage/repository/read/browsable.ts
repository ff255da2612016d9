import type { Readable } from "node:stream";
import type { ItemRow, MediaRow, Place, SnapshotId } from "../format.js";
import type { Repository } from "../repository.js";
import type { ByteRange } from "./byte-range.js";

/** A repository as those need it who look at all of it in a hurry, and at parts of large contents. */
export interface Browsable extends Repository {
  /** The rows of `items`, as many at a time as come together. Throws as that does. */
  itemBatches(snapshot: SnapshotId): AsyncIterable<readonly ItemRow[]>;
  /** Those of `media`. */
  mediaBatches(snapshot: SnapshotId): AsyncIterable<readonly MediaRow[]>;
  /**
   * The bytes of a row from `start` up to, not including, `end`, which must lie in its size: where they lie, without what stands before and behind them as far as the
   * archive allows. A part can't be checked by a sha256; the stream fails where there are fewer bytes. Throws as `open` does.
   */
  openPart(place: Place, range: ByteRange): Promise<Readable>;
}
