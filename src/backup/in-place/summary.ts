import type { SiteIdentity } from "../../core/model/identity.js";
import type { Key } from "../../core/model/key.js";
import type { SnapshotId } from "../../storage/repository/format.js";
import type { LoadSummary } from "../../sync/load/load-summary.js";
import type { VerifySummary } from "../../sync/verify/verify.js";

/** An item that differs from the snapshot. */
export interface Deviation {
  readonly key: Key;
  readonly title: string;
  /** Differing fields; empty: it was deleted. */
  readonly paths: readonly string[];
}

/** A deleted item that the site did not restore. */
export interface Refused extends Deviation {
  readonly reason: string;
}

/** The writes that a dry run found. */
export interface InPlacePlan {
  /** Number of requests by kind: `edit step`. */
  readonly kinds: Readonly<Record<string, number>>;
  /** Descriptions of the writes for each item, in order. */
  readonly steps: ReadonlyMap<Key, readonly string[]>;
}

/** What a restore to the origin site did, or would do. */
export interface InPlaceSummary {
  readonly snapshot: SnapshotId;
  readonly target: SiteIdentity;
  readonly items: number;
  /** Equal to the snapshot: nothing was written. */
  readonly untouched: number;
  /** By kind; kinds without an item are absent. */
  readonly compared: Readonly<Record<string, { readonly items: number; readonly untouched: number }>>;
  /** Edited since the snapshot, and restored. */
  readonly putBack: readonly Deviation[];
  /** Deleted since, and restored by the site or recreated under the same title. */
  readonly broughtBack: readonly Deviation[];
  /** Deleted since, and recreated with another id. */
  readonly anew: readonly Refused[];
  /** Edited since, and not overwritten. */
  readonly left: readonly Deviation[];
  /** Items or fields that can't be restored. */
  readonly lost: readonly Refused[];
  /** Items of the snapshot that are unknown, since its rows are damaged. */
  readonly unknown: number;
  /** Written again, since they refer to recreated items. */
  readonly followed: readonly Key[];
  /** Edited during the run, and not overwritten. */
  readonly raced: readonly Key[];
  /** Fields with edits on both sides, which the merge did not write. */
  readonly clashes: number;
  /** Public guides of the snapshot that are private on the site: left so, or a part failed. */
  readonly privateThere: readonly Key[];
  /** On the site and not in the snapshot: left as they are. */
  readonly newer: readonly Key[];
  readonly failed: number;
  /** Number of write requests; in a dry run those that would be sent. */
  readonly writes: number;
  readonly planned?: InPlacePlan;
  readonly loaded?: LoadSummary;
  readonly verified?: VerifySummary;
}
