import { EXIT, StoppedError } from "../core/errors.js";
import type { Control } from "./control.js";

/** Throws StoppedError when the run was asked to stop; called before anything new is begun. */
export function halt(control: Pick<Control, "stop">): void {
  if (!control.stop.aborted) return;
  throw new StoppedError(
    "Stopped before the end. Everything done so far is kept; the same command goes on from here.",
    { exitCode: EXIT.stopped },
  );
}
