import type { SnapshotIndex } from "../../archive/repository/format.js";
import { EXIT } from "../../errors.js";
import type { Pruned } from "../../pipeline/backup/prune.js";
import { size } from "./describe-backup.js";
import type { Output } from "./output.js";
import { count } from "./words.js";

/** Tells what a prune did, or would do. */
export function printPruned({ plan, snapshots, compacted, dryRun }: Pruned, output: Output): void {
  const removed = new Set(plan.removed.map(({ snapshot }) => snapshot));
  const rows = snapshots.map((index) => ({
    snapshot: index.snapshot,
    kind: index.kind,
    ...fateOf(index, plan, removed),
  }));
  for (const row of rows) output.event("snapshot", row);
  output.table(
    ["snapshot", "kind", "", "why"],
    rows.map(({ snapshot, kind, fate, why }) => [snapshot, kind, fate, why]),
  );
  for (const { snapshot, as } of compacted) {
    output.say(as === null ? `${snapshot} would be written anew.` : `${snapshot} was written anew as ${as}.`);
  }
  const done = dryRun ? "Would be removed" : "Removed";
  const held = plan.held.size === 0 ? "" : ` Held back, since others need them: ${plan.held.size}.`;
  output.say(`${done}: ${count(removed.size, "snapshot")}, ${size(plan.freed)}. Kept: ${plan.kept.size}.${held}`);
  output.event("summary", {
    exitCode: EXIT.ok,
    dryRun,
    removed: [...removed],
    bytes: plan.freed,
    kept: [...plan.kept.keys()],
    held: [...plan.held.keys()],
    compacted,
  });
}

function fateOf(
  { snapshot }: SnapshotIndex,
  { kept, held }: Pruned["plan"],
  removed: ReadonlySet<string>,
): { readonly fate: string; readonly why: string } {
  const reasons = kept.get(snapshot);
  if (reasons !== undefined) return { fate: "kept", why: reasons.join(", ") };
  if (removed.has(snapshot)) return { fate: "removed", why: "" };
  const needing = held.get(snapshot) ?? [];
  const [first] = needing;
  return { fate: "held", why: `needed by ${first}${needing.length > 1 ? ` and ${needing.length - 1} more` : ""}` };
}
