import type { Operation, OperationState } from "../core/contracts.js";
import type { LoadJob } from "./load-job.js";

/** Ends failures of items that are gone at the source: nobody can make them go through any more. */
export async function closeFailures(job: LoadJob): Promise<void> {
  for (const state of await job.ledger.failures()) {
    const entry = job.workspace.items.entry(state.item);
    if (entry !== undefined && entry.state !== "gone") continue;
    await close(job, state);
    job.workspace.failures.clear("load", state.item);
  }
}

/** Hash of an operation that failed and is not wanted any more: never equal to one that is. */
const NOT_WANTED = "not wanted any more";

export async function close({ ledger }: LoadJob, { id, item, label }: OperationState): Promise<void> {
  const call = { verb: "order-steps", guide: item, steps: [] } as const;
  const operation: Operation = { id, item, label, hash: NOT_WANTED, phase: "main", needs: [], call };
  await ledger.done(operation, { written: [], missing: [], issues: [] });
}
