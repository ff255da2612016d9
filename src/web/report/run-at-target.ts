import { EXIT } from "../../core/errors.js";
import type { RunAtTarget } from "../../storage/ledger/run-outcomes.js";
import type { Run } from "../../storage/workspace/run-log.js";

/** Ends of runs that did all that they were to do, well or not. */
const FINISHED: ReadonlySet<number | null> = new Set([
  EXIT.ok,
  EXIT.someFailed,
  EXIT.differences,
  EXIT.planHasChanges,
  EXIT.losses,
]);

/** Was a run stopped before its end, or broke off, or is it on? */
export function isStopped({ exitCode }: { readonly exitCode: number | null }): boolean {
  return !FINISHED.has(exitCode);
}

/** Did a run only say what another one would do? */
export function isPlan({ command, details }: Pick<Run, "command" | "details">): boolean {
  return command === "plan" || details["dryRun"] === true;
}

/** A run as its outcomes at a target go by it. */
export function atTarget({ id, command, started, details }: Run): RunAtTarget {
  const { began } = details;
  return { id, began: typeof began === "number" ? began : started * 1000, compares: command === "verify" };
}
