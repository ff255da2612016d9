import type { Deletions } from "../storage/repository/format.js";
import type { DeletionLimit } from "../sync/control.js";
import type { ListedSort, Unlisted } from "../sync/extract/run.js";

export { DEFAULT_DELETION_LIMIT, type DeletionLimit } from "../sync/control.js";

/**
 * How many may go in one night although they are more than the limit: where others are left, and
 * where they are the last ones.
 */
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
 * The lists of which too much would count as deleted, or that had something and come back empty.
 * The snapshot is taken all the same, since what else is new must not be lost; it is marked, and
 * those before it are kept until somebody agrees (plan-prune).
 */
export function judgeDeletions(unlisted: readonly Unlisted[], limit: DeletionLimit): Deletions {
  const accepts = "share" in limit && limit.share >= 1;
  const wrong = unlisted.filter((list) => isTooMuch(list, limit));
  return {
    ...(accepts ? { deletionsAccepted: true } : {}),
    ...(wrong.length === 0
      ? {}
      : { manyDeleted: wrong.map(({ list, present, unlisted: gone }) => ({ list, present, gone })) }),
  };
}

/** What a person must know of a snapshot in which too much vanished; undefined: nothing did. */
export function describeDeletions({ manyDeleted }: Deletions): string | undefined {
  if (manyDeleted === undefined) return undefined;
  const found = manyDeleted.map(({ list, present, gone }) =>
    gone === present
      ? `the list of ${list} is empty, and had ${present}`
      : `${gone} of ${present} ${list} are no longer listed`,
  );
  return (
    `More vanished than --max-deletions allows: ${found.join("; ")}. The snapshot was taken and shows it as deleted; every snapshot before it has it, and none of these is pruned. ` +
    "Look at the site, and at whether the account still sees everything. If it is meant to be so, run the same command once with --max-deletions 100%: then older snapshots are pruned again."
  );
}

function isTooMuch({ of, present, unlisted }: Unlisted, limit: DeletionLimit): boolean {
  const few = FEW[of];
  const most = "count" in limit ? limit.count : limit.share * present;
  if (unlisted < present) return unlisted > Math.max(few.some, most);
  const isAllowed = "share" in limit ? limit.share >= 1 : unlisted <= limit.count;
  return unlisted > few.last && !isAllowed;
}
