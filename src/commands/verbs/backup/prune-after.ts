import { asksForAny } from "../../../storage/repository/retention.js";
import { FerryError } from "../../../core/errors.js";
import { prune } from "../../../backup/prune.js";
import type { CommandCall } from "../../command.js";
import { describeDamaged } from "../../output/print-prune.js";
import { keysOf } from "./encryption-of.js";
import { retentionOf, watchReading } from "./run-prune.js";

/** What became of old snapshots: which were removed, or what stood in the way. */
export type PrunedAfter =
  | { readonly removed: readonly string[]; readonly bytes: number }
  | { readonly failed: FerryError };

/**
 * Removes what the --keep options don't keep; undefined: there are none. To be called when the new snapshot is there and was read again. What stands
 * in the way makes that snapshot no worse.
 */
export async function pruneAfter(call: CommandCall, folder: string): Promise<PrunedAfter | undefined> {
  const retention = retentionOf(call.settings);
  if (!asksForAny(retention)) return undefined;
  const madeBy = `guideferry ${call.version}`;
  try {
    // The whole repository is not read each night, see src/storage/repository/README.md.
    const how = {
      dryRun: false,
      compact: null,
      keys: await keysOf(call),
      proving: "due",
      watch: watchReading(call),
    } as const;
    const pruned = await prune({ folder, retention, ...how, madeBy, signal: call.stop });
    const warning = describeDamaged(pruned);
    if (warning !== undefined) call.output.warn(warning);
    const { plan } = pruned;
    return { removed: plan.removed.map(({ snapshot }) => snapshot), bytes: plan.freed };
  } catch (error) {
    if (error instanceof FerryError) return { failed: error };
    throw error;
  }
}
