import { BrakeError } from "../../../errors.js";
import type { DeletionLimit } from "../../deletion-limit.js";
import type { ListedSort, Unlisted } from "../../extract-unlisted.js";

export { DEFAULT_DELETION_LIMIT, type DeletionLimit } from "../../deletion-limit.js";

/** How many may go in one night although they are more than the limit: where others are left, and where they are the last ones. */
interface Few {
  readonly some: number;
  readonly last: number;
}

/** What people remove and settle day by day stops no night, unless it is all of much. */
const FEW: Readonly<Record<ListedSort, Few>> = {
  items: { some: 1, last: 0 },
  records: { some: 10, last: 1 },
  rows: { some: 10, last: 4 },
  passing: { some: 10, last: 10 },
};

/**
 * Throws BrakeError when too much of a list would count as deleted, or a list that had something comes back empty: a site that was emptied, or
 * answers as if it were, is not copied over what is known of it.
 */
export function brakeDeletions(unlisted: readonly Unlisted[], limit: DeletionLimit): void {
  const wrong = unlisted.filter((list) => isTooMuch(list, limit));
  if (wrong.length === 0) return;
  const found = wrong.map(({ list, present, unlisted: gone }) =>
    gone === present
      ? `the list of ${list} is empty, and had ${present}`
      : `${gone} of ${present} ${list} are no longer listed`,
  );
  throw new BrakeError(
    `Stopped by --max-deletions: ${found.join("; ")}. Nothing was marked as deleted and no snapshot was written; the snapshots before are untouched. ` +
      "Look at the site, and at whether the account still sees everything. If it is meant to be so, run the same command with --max-deletions 100%.",
  );
}

function isTooMuch({ of, present, unlisted }: Unlisted, limit: DeletionLimit): boolean {
  const few = FEW[of];
  const most = "count" in limit ? limit.count : limit.share * present;
  if (unlisted < present) return unlisted > Math.max(few.some, most);
  const isAllowed = "share" in limit ? limit.share >= 1 : unlisted <= limit.count;
  return unlisted > few.last && !isAllowed;
}
