import type { Survey } from "../../core/contracts.js";
import { EXIT, UsageError } from "../../core/errors.js";
import type { UndoableRun } from "../../storage/ledger/undo-ledger.js";

/** The named run, or the last one of which something can still be undone; undefined: there is none. Throws UsageError (exit 10) for an unknown one. */
export function chooseRun(
  runs: readonly UndoableRun[],
  named: string | undefined,
  { identity }: Survey,
): UndoableRun | undefined {
  if (named === undefined) return runs.find(({ open }) => open > 0);
  const run = runs.find(({ id }) => id === named);
  if (run !== undefined) return run.open > 0 ? run : undefined;
  const known = runs.filter(({ open }) => open > 0).map(({ id }) => id);
  const others = known.length === 0 ? "None can be." : `These can be: ${known.join(", ")}.`;
  throw new UsageError(
    `Nothing is kept of a run ${named} that wrote to ${identity.root}, so it can't be undone. ${others} A run that only read, an undo, and one that is older than the last 20 that wrote have nothing to undo.`,
    { exitCode: EXIT.notFound },
  );
}
