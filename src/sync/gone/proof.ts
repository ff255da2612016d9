import { type Key, kindOf } from "../../core/model/key.js";
import type { Keeper } from "../extract-keep.js";
import type { ExtractRun } from "../extract-run.js";
import { privateIncluded } from "../extract-summary.js";

/**
 * Of what the lists of a run that takes everything don't show: is it proven to be deleted at the source? Not where the site refused a list, and
 * not of guides that this account sees only as long as they are public: one that was made private looks the same. What was never released is there, and
 * only left out of a workspace of released versions.
 */
export function proofOf(run: ExtractRun, keeper: Keeper): (key: Key) => boolean {
  const seesAll = privateIncluded(run) === "yes";
  const unreleased: ReadonlySet<Key> = new Set(run.counters.unreleased);
  return (key) => !keeper.refuses(key) && !unreleased.has(key) && (seesAll || kindOf(key) !== "guide");
}
