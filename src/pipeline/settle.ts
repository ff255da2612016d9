import type { Operation, OperationState } from "../contracts.js";
import type { Performer } from "./perform.js";

/**
 * Clears up what a killed run left: creates that were sent and whose answer never came. All of them are settled before any
 * new create starts, since a new one could be taken for an old one. Returns how many were found done.
 */
export async function settle({ bench, context }: Performer): Promise<number> {
  let found = 0;
  for (const orphan of await bench.ledger.orphans()) {
    const operation = operationOf(orphan);
    if (operation === undefined || orphan.mark === null) continue;
    const begin = (): Promise<void> => Promise.resolve();
    const receipt = await bench.target.find(operation, orphan.mark, { ...context, begin }, bench.control.abort);
    if (receipt === undefined) {
      await bench.ledger.failed(operation, "An earlier run was stopped while it was sent, and it was not made.");
      continue;
    }
    found += 1;
    await bench.ledger.done(operation, receipt);
  }
  return found;
}

function operationOf(orphan: OperationState): Operation | undefined {
  const kept = orphan.mark?.["operation"];
  return typeof kept === "object" && kept !== null ? (kept as Operation) : undefined;
}
