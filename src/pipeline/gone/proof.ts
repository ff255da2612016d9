import { type Key, kindOf } from "../../model/key.js";
import type { Keeper } from "../extract-keep.js";
import type { ExtractRun } from "../extract-run.js";
import { privateIncluded } from "../extract-summary.js";

/**
 * Of what the lists of a run that takes everything don't show: is it proven to be deleted at the source? Not where the site refused a list, and
 * not of guides that this account sees only as long as they are public: one that was made private looks the same.
 */
export function proofOf(run: ExtractRun, keeper: Keeper): (key: Key) => boolean {
  const seesAll = privateIncluded(run) === "yes";
  return (key) => !keeper.refuses(key) && (seesAll || kindOf(key) !== "guide");
}
