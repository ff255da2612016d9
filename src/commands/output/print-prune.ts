import type { SnapshotIndex } from "../../storage/repository/format.js";
import { EXIT } from "../../core/errors.js";
import type { Pruned } from "../../backup/prune.js";
import { size } from "./describe-backup.js";
import type { Output } from "./output.js";
import { count } from "./words.js";

/** What a person should know of archives that stay and are damaged, though nothing is lost by that; undefined: there are none. */
export function describeDamaged({ damaged: [first, ...others] }: Pruned): string | undefined {
  if (first === undefined) return undefined;
  const what = others.length === 0 ? `${first} is` : `${first} and ${others.length} more archives are`;
  return `${what} damaged, but everything that stays can be restored. \`guideferry verify REPO\` tells more.`;
}

/** Tells what a prune did, or would do. */
export function printPruned(pruned: Pruned, output: Output): void {
  const { plan, snapshots, compacted, written, nameless, read, damaged, dryRun } = pruned;
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
    output.say(`${snapshot} ${dryRun ? "would be" : "was"} written anew as ${as}.`);
  }
  for (const { snapshot, next } of nameless) {
    output.warn(
      `The chain of ${snapshot} is not written anew: the copy would have no name before that of ${next}, which follows at once, and an old state would become the younger one.`,
    );
  }
  const done = dryRun ? "Would be removed" : "Removed";
  const held = plan.held.size === 0 ? "" : ` Held back, since others need them: ${plan.held.size}.`;
  const anew = compacted.length === 0 ? "" : `; ${dryRun ? "at most " : ""}${size(written)} written anew for that`;
  output.say(
    `${done}: ${count(removed.size, "snapshot")}, ${size(plan.freed)}${anew}. Kept: ${plan.kept.size}.${held}`,
  );
  const warning = describeDamaged(pruned);
  if (warning !== undefined) output.warn(warning);
  if (dryRun && read.files > 0)
    output.say(`Before that ${count(read.files, "archive")} that stay, ${size(read.bytes)}, would be read and hashed.`);
  output.event("summary", {
    exitCode: EXIT.ok,
    dryRun,
    read,
    damaged,
    removed: [...removed],
    bytes: plan.freed,
    kept: [...plan.kept.keys()],
    held: [...plan.held.keys()],
    compacted,
    written,
    nameless,
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
