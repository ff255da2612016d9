import {
  BrakeError,
  ConnectionError,
  EXIT,
  FerryError,
  SignInError,
  StatusError,
  StoppedError,
  WorkspaceError,
} from "../core/errors.js";
import type { Control } from "./control.js";

/** Ends a run whatever it was doing: going on would fail in the same way, or was asked not to. */
export function endsRun(error: unknown, { abort }: Pick<Control, "abort">): boolean {
  if (abort.aborted) return true;
  if (error instanceof SignInError || error instanceof StoppedError || error instanceof BrakeError) return true;
  // A disk that is full or refuses; a single item that can't be stored or read back is that item's failure.
  return error instanceof WorkspaceError && error.exitCode !== EXIT.someFailed && error.exitCode !== EXIT.unexpected;
}

/** Statuses that another try will not change. */
const FINAL_STATUSES: readonly number[] = [403, 404, 410];

/** Will the same request fail again, until somebody changes something at the site? */
export function isFinal(error: unknown): boolean {
  if (error instanceof StatusError) return FINAL_STATUSES.includes(error.status);
  return error instanceof FerryError && !(error instanceof ConnectionError) && !error.retriable;
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
