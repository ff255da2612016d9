import type { PlannedOperation } from "../planned-item.js";
import type { Comparison } from "./comparison.js";
import type { Moved } from "./source-state.js";

const NOW = "apply now";

/** Writes that only one of two plans holds: the one in the file, and the one that would be made now. What a stopped run of it did counts as held. */
export async function* differencesOf({ job, plan, notes, isBegun }: Comparison): AsyncGenerator<Moved> {
  const { scratch } = job.workspace;
  scratch.clear(NOW);
  for (const { key, title, operations } of plan.items()) {
    for (const operation of operations) {
      scratch.put(NOW, operation.id, operation.hash);
      if (!notes.holds(operation, operation.creates)) yield { key, title, how: `would also need: ${operation.label}` };
    }
  }
  for (const { key, title, action, operations } of notes.rows()) {
    for (const operation of operations) {
      const isHeld = scratch.get(NOW, operation.id) === operation.hash;
      // What a stopped run deleted is noted by the next one; that it isn't there was looked at before.
      if (isHeld || (isBegun && (action === "delete" || (await isDoneSince({ job }, operation))))) continue;
      yield { key, title, how: `would not need any more, or otherwise: ${operation.label}` };
    }
  }
}

/** Also where a page was linked to instead, or somebody's version was left: the ledger notes that under a hash that ends with the operation's own. */
async function isDoneSince({ job }: Pick<Comparison, "job">, { item, id, hash }: PlannedOperation): Promise<boolean> {
  const state = (await job.ledger.loaded(item)).operations.get(id);
  return state?.state === "done" && state.hash.endsWith(hash);
}
