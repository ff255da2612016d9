import type { Survey } from "../../core/contracts.js";
import type { Key } from "../../core/model/key.js";
import type { PeopleThere } from "../people/target-people.js";

/** Counted from the ledger, never from attempts. */
export interface LoadSummary {
  readonly target: Survey["identity"];
  /** Items looked at, refused by the rules of what a site takes, and failed in this run. */
  readonly items: number;
  readonly refused: number;
  readonly failed: number;
  readonly adopted: number;
  /** Write requests sent in this run, also refused and repeated ones. */
  readonly writes: number;
  /** Creates of a killed run that were found done. */
  readonly found: number;
  /** Guides that stay private because a part of them failed. */
  readonly heldBack: readonly Key[];
  /** Guides that are public at the source and private at the target, for whatever reason. */
  readonly privateThere: readonly Key[];
  /**
   * Items at the target that are deleted at the source, and how many of them were deleted there.
   */
  readonly deletedAtSource: { readonly listed: number; readonly deleted: number };
  /** Items that somebody had deleted at the target. */
  readonly recreated: number;
  /** Public guides that were private while they were changed. */
  readonly hidden: number;
  readonly operations: { readonly begun: number; readonly done: number; readonly failed: number };
  /** People of the source without a counterpart at the target, whom no map drops. */
  readonly unknown: PeopleThere["unknown"];
}
