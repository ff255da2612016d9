import { holdRepository } from "../../backup/hold-repository.js";
import { type Pruned, type PruneParts, prune } from "../../backup/prune/prune.js";
import { EXIT, type ExitCode, FerryError, UsageError } from "../../core/errors.js";
import { scratchFolder } from "../../core/util/files.js";
import type { RepositoryStorage } from "../../storage/repository/files/repository-storage.js";
import type { SnapshotIndex } from "../../storage/repository/format.js";
import { asksForAny, PERIODS, type Retention } from "../../storage/repository/plan-prune.js";
import type { CommandCall } from "../command.js";
import type { Settings } from "../options/table.js";
import type { Output } from "../output/output.js";
import { count, size } from "../output/words.js";
import { encryptionOf, keysOf } from "./keys.js";

export async function runPrune(call: CommandCall, storage: RepositoryStorage): Promise<ExitCode> {
  const { settings, output } = call;
  if (settings.drop !== null && settings.compact)
    throw new UsageError("--drop deletes one snapshot and rewrites none. Leave out --compact.");
  const plain: PruneParts = {
    storage,
    retention: retentionOf(settings),
    drop: settings.drop ?? undefined,
    dryRun: settings.dryRun,
    compact: null,
    keys: await keysOf(call),
    madeBy: `guideferry ${call.version}`,
    signal: call.stop,
    watch: watchReading(call),
  };
  const held = settings.dryRun
    ? undefined
    : await holdRepository(storage, { command: "guideferry prune", create: false });
  // Titles are sorted there while a snapshot is rewritten.
  const scratch = settings.compact ? await scratchFolder("prune") : null;
  try {
    const compact =
      scratch === null
        ? null
        : {
            scratch: scratch.path,
            keys: await keysOf(call),
            encryption: await encryptionOf(call, { passphrase: true }),
          };
    printPruned(await prune({ ...plain, compact }), output);
    return EXIT.ok;
  } finally {
    await held?.lease.release();
    await scratch?.remove();
  }
}

function watchReading({ output }: CommandCall): NonNullable<PruneParts["watch"]> {
  return (done, total, bytes, totalBytes) => {
    if (done === 0 && total > 0)
      output.note(
        `Before a deletion, prune reads and hashes the ${count(total, "archive")} to keep (${size(totalBytes)}).`,
      );
    else if (total > 0) output.progress({ stage: "verify", done, total, bytes, failed: 0 });
  };
}

function retentionOf({ keepLast, keepDaily, keepWeekly, keepMonthly, keepYearly }: Settings): Retention {
  const asked = { last: keepLast, daily: keepDaily, weekly: keepWeekly, monthly: keepMonthly, yearly: keepYearly };
  return Object.fromEntries(PERIODS.map((period) => [period, asked[period] ?? 0])) as unknown as Retention;
}

export type PrunedAfter =
  | { readonly removed: readonly string[]; readonly bytes: number }
  | { readonly failed: FerryError };

/**
 * Deletes what the --keep options do not keep; undefined: none are given. Called after the new
 * snapshot was read back. An error does not affect that snapshot.
 */
export async function pruneAfter(call: CommandCall, storage: RepositoryStorage): Promise<PrunedAfter | undefined> {
  const retention = retentionOf(call.settings);
  if (!asksForAny(retention)) return undefined;
  const madeBy = `guideferry ${call.version}`;
  try {
    // A backup does not read the whole repository, see docs/design/repository.md.
    const how = {
      dryRun: false,
      compact: null,
      keys: await keysOf(call),
      proving: "due",
      watch: watchReading(call),
    } as const;
    const pruned = await prune({ storage, retention, ...how, madeBy, signal: call.stop });
    const warning = describeDamaged(pruned);
    if (warning !== undefined) call.output.warn(warning);
    const { plan } = pruned;
    return { removed: plan.removed.map(({ snapshot }) => snapshot), bytes: plan.freed };
  } catch (error) {
    if (error instanceof FerryError) return { failed: error };
    throw error;
  }
}

/** A warning about kept archives that are damaged without a loss; undefined: none. */
function describeDamaged({ damaged: [first, ...others] }: Pruned): string | undefined {
  if (first === undefined) return undefined;
  const what = others.length === 0 ? `${first} is` : `${first} and ${others.length} more archives are`;
  return `${what} damaged, but every kept snapshot can be restored. For details: guideferry verify REPO`;
}

function printPruned(pruned: Pruned, output: Output): void {
  const { plan, snapshots, compacted, written, nameless, read, damaged, dryRun } = pruned;
  const removed = new Set(plan.removed.map(({ snapshot }) => snapshot));
  const rows = snapshots.map((index) => ({
    snapshot: index.snapshot,
    kind: index.kind,
    ...decisionOf(index, plan, removed),
  }));
  for (const row of rows) output.event("snapshot", row);
  output.table(
    ["snapshot", "kind", "", "why"],
    rows.map(({ snapshot, kind, outcome, why }) => [snapshot, kind, outcome, why]),
  );
  for (const { snapshot, as } of compacted) {
    output.say(`${snapshot} ${dryRun ? "would be" : "was"} rewritten as ${as}.`);
  }
  for (const { snapshot, next } of nameless) {
    output.warn(
      `The chain of ${snapshot} is not rewritten: ${next} follows at once, so the copy has no free name before it, and an old state would become the latest one.`,
    );
  }
  const done = dryRun ? "Would be deleted" : "Deleted";
  const held = plan.held.size === 0 ? "" : ` Held back, because others need them: ${plan.held.size}.`;
  const anew = compacted.length === 0 ? "" : `; ${dryRun ? "at most " : ""}${size(written)} rewritten for that`;
  output.say(
    `${done}: ${count(removed.size, "snapshot")}, ${size(plan.freed)}${anew}. Kept: ${plan.kept.size}.${held}`,
  );
  const warning = describeDamaged(pruned);
  if (warning !== undefined) output.warn(warning);
  if (dryRun && read.files > 0)
    output.say(`Before that, ${count(read.files, "archive")} to keep (${size(read.bytes)}) would be read and hashed.`);
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

function decisionOf(
  { snapshot }: SnapshotIndex,
  { kept, held }: Pruned["plan"],
  removed: ReadonlySet<string>,
): { readonly outcome: string; readonly why: string } {
  const reasons = kept.get(snapshot);
  if (reasons !== undefined) return { outcome: "kept", why: reasons.join(", ") };
  if (removed.has(snapshot)) return { outcome: "removed", why: "" };
  const needing = held.get(snapshot) ?? [];
  const [first] = needing;
  return { outcome: "held", why: `needed by ${first}${needing.length > 1 ? ` and ${needing.length - 1} more` : ""}` };
}
