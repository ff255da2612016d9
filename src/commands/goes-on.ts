import { EXIT, type ExitCode, MovedError } from "../core/errors.js";

/** Ends after which the same command line goes on. */
const GOES_ON: ReadonlySet<ExitCode> = new Set([
  EXIT.stopped,
  EXIT.signInRefused,
  EXIT.brake,
  EXIT.unreachable,
  EXIT.hangUp,
  EXIT.interrupted,
  EXIT.terminated,
]);

/** Does the same command line, given again, go on after an error that ended it with this code? What has moved meanwhile needs another one. */
export function goesOn(error: unknown, exitCode: ExitCode): boolean {
  return GOES_ON.has(exitCode) && !(error instanceof MovedError);
}
