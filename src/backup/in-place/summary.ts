import type { SiteIdentity } from "../../core/model/identity.js";
import type { Key } from "../../core/model/key.js";
import type { SnapshotId } from "../../storage/repository/format.js";
import type { LoadSummary } from "../../sync/load/load-summary.js";
import type { VerifySummary } from "../../sync/verify/verify.js";

/** An item of the snapshot that is not as it was then. */
export interface Deviation {
  readonly key: Key;
  readonly title: string;
  /** What differs, in the model's words; empty: it was deleted. */
  readonly paths: readonly string[];
}

/** A deleted item that the site did not restore. */
export interface Refused extends Deviation {
  readonly reason: string;
}

/** What a rehearsal found out about its writes. */
export interface InPlacePlan {
  /** Requests by what they do, in a person's words: `edit step`. */
  readonly kinds: Readonly<Record<string, number>>;
  /** What would be done for each item, in order. */
  readonly steps: ReadonlyMap<Key, readonly string[]>;
}

/** What putting a site back to a snapshot did, or would do. */
export interface InPlaceSummary {
  readonly snapshot: SnapshotId;
  readonly target: SiteIdentity;
  /** Items of the choice that were compared. */
  readonly items: number;
  /** As they were: nothing was written. */
  readonly untouched: number;
  /** Both by kind; kinds without an item are absent. */
  readonly compared: Readonly<Record<string, { readonly items: number; readonly untouched: number }>>;
  /** Edited since, and put back. */
  readonly putBack: readonly Deviation[];
  /** Deleted since, and restored by the site or made again under the same title. */
  readonly broughtBack: readonly Deviation[];
  /** Deleted since, made anew with another id. */
  readonly anew: readonly Refused[];
  /** Edited since, and left: nobody named them. */
  readonly left: readonly Deviation[];
  /** Deleted since, and nothing brings them back. */
  readonly lost: readonly Refused[];
  /** Items of the snapshot that nothing tells of any more, since its rows are damaged. */
  readonly unknown: number;
  /** Written again since they refer to what was made anew. */
  readonly followed: readonly Key[];
  /** Edited by somebody while it ran, and left. */
  readonly raced: readonly Key[];
  /** Edits on both sides in fields that a merge was to decide, and left. */
  readonly clashes: number;
  /**
   * Guides that were public in the snapshot and are private at the site: left so, or a part of them
   * failed.
   */
  readonly privateThere: readonly Key[];
  /** At the site and not in the snapshot: left. */
  readonly newer: readonly Key[];
  readonly failed: number;
  /** Requests that are no reads; those that would be sent, in a rehearsal. */
  readonly writes: number;
  /** In a rehearsal only. */
  readonly planned?: InPlacePlan;
  /** Absent in a rehearsal. */
  readonly loaded?: LoadSummary;
  readonly verified?: VerifySummary;
}
