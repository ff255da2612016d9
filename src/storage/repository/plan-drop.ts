import { EXIT, FerryError } from "../../core/errors.js";
import { isBeforeRestore } from "./before-restore.js";
import type { SnapshotId, SnapshotIndex } from "./format.js";
import { bytesOf, doubtedSince, idleRepairs, neededBy, type PrunePlan } from "./plan-prune.js";
import { snapshotNamed } from "./read/find-snapshot.js";

const NAMED = 8;

/**
 * What removing one snapshot means: all others are kept. Throws ArchiveError (exit 10) where there is none of this name, and FerryError (exit 8) where
 * others need its archives, or where a prune would keep it whatever its rules are: it is the youngest, the youngest complete one, or of before a night on which too much vanished.
 */
export function planDrop(
  snapshots: readonly SnapshotIndex[],
  repairs: readonly SnapshotIndex[],
  { drop, folder }: { readonly drop: SnapshotId; readonly folder: string },
): PrunePlan {
  const index = snapshotNamed(snapshots, drop, folder);
  const nights = snapshots.filter((one) => !isBeforeRestore(one));
  refuseNeeded(snapshots, drop);
  if (snapshots.at(-1) === index)
    refuse(drop, "it is the youngest one, and the next backup builds on it.", "Make another backup first.");
  if (nights.findLast(({ complete }) => complete) === index)
    refuse(
      drop,
      "it is the youngest one that is complete.",
      "Make a complete backup first: `guideferry snapshots` shows which ones are not.",
    );
  const doubted = doubtedSince(nights);
  if (doubted !== undefined && drop < doubted && !isBeforeRestore(index))
    refuse(
      drop,
      `more vanished on the night of ${doubted} than --max-deletions allows, and nobody has agreed to that.`,
      "If it was meant to be so, run a backup once with --max-deletions 100%.",
    );
  const staying = snapshots.filter((one) => one !== index);
  const removed = [index, ...idleRepairs(repairs, staying)].toSorted((a, b) => (a.snapshot < b.snapshot ? -1 : 1));
  return {
    kept: new Map(staying.map(({ snapshot }) => [snapshot, []])),
    held: new Map(),
    removed,
    freed: removed.reduce((sum, one) => sum + bytesOf(one), 0),
  };
}

function refuseNeeded(snapshots: readonly SnapshotIndex[], drop: SnapshotId): void {
  const dependents = snapshots.filter((index) => neededBy(index).has(drop)).map(({ snapshot }) => snapshot);
  if (dependents.length === 0) return;
  const more = dependents.length > NAMED ? ` and ${dependents.length - NAMED} more` : "";
  refuse(
    drop,
    `its archives hold what these snapshots need: ${dependents.slice(0, NAMED).join(", ")}${more}.`,
    "Drop those first, the youngest of them first, or free them with `guideferry prune REPO --keep-… --compact`, which writes what is kept anew.",
  );
}

function refuse(drop: SnapshotId, why: string, remedy: string): never {
  throw new FerryError(`The snapshot ${drop} can't be dropped: ${why} Nothing was removed. ${remedy}`, {
    exitCode: EXIT.brake,
  });
}
