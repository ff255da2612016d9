import { ConnectionError, EXIT, FerryError, SignInError } from "../../core/errors.js";
import { parseCall } from "../../core/model/call.js";
import type { Key } from "../../core/model/key.js";
import type { Operation, OperationState } from "../../core/writing.js";
import type { LoadJob } from "./load-job.js";
import type { SharedContext } from "./write-context.js";

interface Recovered {
  readonly found: number;
  readonly unresolved: ReadonlyMap<Key, unknown>;
}

interface RecoveryParts {
  readonly job: Pick<LoadJob, "ledger" | "target"> & { readonly control: Pick<LoadJob["control"], "abort"> };
  readonly context: SharedContext;
}

/**
 * Looks for creates of a killed run that got no answer, before any new create starts that could be
 * confused with an old one. What can't be found out stays begun, and its item waits for a later
 * run.
 */
export async function recoverPending({ job, context }: RecoveryParts): Promise<Recovered> {
  let found = 0;
  const unresolved = new Map<Key, unknown>();
  for (const orphan of await job.ledger.orphans()) {
    if (orphan.mark?.["operation"] === undefined) continue;
    const nothing = (): Promise<void> => Promise.resolve();
    try {
      const operation = operationOf(orphan, orphan.mark["operation"]);
      const receipt = await job.target.find(
        operation,
        orphan.mark,
        { ...context, begin: nothing, keep: nothing },
        job.control.abort,
      );
      if (receipt === undefined) {
        await job.ledger.failed(
          operation,
          "An earlier run stopped while it sent this write. The target does not have the item.",
        );
        continue;
      }
      found += 1;
      await job.ledger.done(operation, receipt);
    } catch (error) {
      if (job.control.abort.aborted || error instanceof SignInError || error instanceof ConnectionError) throw error;
      unresolved.set(orphan.item, error);
    }
  }
  return { found, unresolved };
}

/** Throws FerryError where this version can't parse the recorded operation. */
function operationOf({ label }: OperationState, kept: unknown): Operation {
  const call = parseCall((kept as Partial<Operation> | null)?.call);
  if (call !== undefined) return { ...(kept as Operation), call };
  throw new FerryError(
    `${label}: another version of guideferry began this write, and this version cannot read its record. Nothing of the item was sent. Load it once with the version that began it.`,
    { exitCode: EXIT.someFailed },
  );
}
