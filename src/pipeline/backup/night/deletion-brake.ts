import { BrakeError } from "../../../errors.js";
import type { ItemKind } from "../../../model/key.js";
import type { Unlisted } from "../../../workspace/item-store.js";

/** `--max-deletions`: how much of a kind may vanish between two nights. */
export type DeletionLimit = { readonly share: number } | { readonly count: number };

export const DEFAULT_DELETION_LIMIT: DeletionLimit = { share: 0.1 };

/** Kinds that a site lists as a whole. Records are answers: one that is refused today says nothing about what is there. */
const LISTED: ReadonlySet<ItemKind> = new Set(["category", "wiki", "guide"]);

const PLURALS: Readonly<Partial<Record<ItemKind, string>>> = { category: "categories", wiki: "wikis", guide: "guides" };

/**
 * Throws BrakeError when too much of a kind would count as deleted, or a list that had something comes back empty: a site that was emptied, or
 * answers as if it were, is not copied over what is known of it. One item of a kind may always go, where others are left.
 */
export function brakeDeletions(unlisted: readonly Unlisted[], limit: DeletionLimit): void {
  const wrong = unlisted.filter((kind) => LISTED.has(kind.kind) && isTooMuch(kind, limit));
  if (wrong.length === 0) return;
  const found = wrong.map(({ kind, present, unlisted: gone }) =>
    gone === present
      ? `the list of ${PLURALS[kind]} is empty, and had ${present}`
      : `${gone} of ${present} ${PLURALS[kind]} are no longer listed`,
  );
  throw new BrakeError(
    `Stopped by --max-deletions: ${found.join("; ")}. Nothing was marked as deleted and no snapshot was written; the snapshots before are untouched. ` +
      "Look at the site, and at whether the account still sees everything. If it is meant to be so, run the same command with --max-deletions 100%.",
  );
}

function isTooMuch({ present, unlisted }: Unlisted, limit: DeletionLimit): boolean {
  if (unlisted === 0) return false;
  const most = "count" in limit ? limit.count : limit.share * present;
  if (unlisted === present) return unlisted > most || !("share" in limit && limit.share >= 1);
  return unlisted > Math.max(1, most);
}
