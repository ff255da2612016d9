import type { Survey } from "../../core/contracts.js";
import type { Key } from "../../core/model/key.js";
import type { PeopleThere } from "../people/target-people.js";

/** Counted from the ledger, never from attempts. */
export interface LoadSummary {
  readonly target: Survey["identity"];
  readonly items: number;
  readonly refused: number;
  readonly failed: number;
  readonly adopted: number;
  /** Write requests of this run, refused and repeated ones included. */
  readonly writes: number;
  /** Creates of a killed run that were found on the target. */
  readonly found: number;
  readonly heldBack: readonly Key[];
  /** Guides that are public at the source and private on the target, for any reason. */
  readonly privateThere: readonly Key[];
  /** Items that were deleted at the source: listed, and deleted on the target. */
  readonly deletedAtSource: { readonly listed: number; readonly deleted: number };
  readonly recreated: number;
  readonly hidden: number;
  readonly operations: { readonly begun: number; readonly done: number; readonly failed: number };
  /** People of the source without a match on the target, except those that a map drops. */
  readonly unknown: PeopleThere["unknown"];
}
