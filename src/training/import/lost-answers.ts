import {
  BrakeError,
  ConnectionError,
  FerryError,
  SignInError,
  StatusError,
  StoppedError,
  WorkspaceError,
} from "../../core/errors.js";

/** Answers below 500 that say nothing of what was done: the site, or a proxy, gave up waiting. */
const REQUEST_TIMEOUT = 408;
const NOT_IMPLEMENTED = 501;

/** The site said no: it surely did nothing. */
export function isRefusal(error: unknown): error is StatusError {
  if (!(error instanceof StatusError)) return false;
  return (error.status < 500 && error.status !== REQUEST_TIMEOUT) || error.status === NOT_IMPLEMENTED;
}

/** Did the site surely never do it, although it didn't refuse this very package? */
export function isUndone(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.unsent;
  return error instanceof SignInError || error instanceof StoppedError;
}

/**
 * Nobody knows whether the site did it: the answer never came, or says that something broke, or can't be read. Whatever isn't surely
 * undone counts: looking is cheap, and a second module is not.
 */
export function isLost(error: unknown): boolean {
  return error instanceof FerryError && !isRefusal(error) && !isUndone(error) && !endsRun(error);
}

/** No package's own failure: nothing else would go better. A site that can't be reached comes as an answer that was never sent for. */
export function endsRun(error: unknown): boolean {
  return (
    error instanceof SignInError ||
    error instanceof StoppedError ||
    error instanceof BrakeError ||
    error instanceof WorkspaceError ||
    (error instanceof ConnectionError && error.unsent)
  );
}
