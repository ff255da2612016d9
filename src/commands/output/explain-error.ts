import { inspect } from "node:util";
import { EXIT, type ExitCode, FerryError, StatusError } from "../../core/errors.js";

/** What is told of an error that ended a run. */
export interface Explanation {
  readonly text: string;
  /** The stack trace; null without `--debug`. */
  readonly trace: string | null;
  readonly exitCode: ExitCode;
}

/** The words for an error that ended a run, and the exit code. A stack trace is given with `--debug` only. */
export function explainError(error: unknown, debug: boolean): Explanation {
  return { text: wordsFor(error, debug), trace: debug ? inspect(error) : null, exitCode: exitCodeOf(error) };
}

/**
 * What a run ends with that an error ended. An error that would be one item's fault, such as a 403, has the code of a run that
 * got to its end with failures; when it ends the run (the site can't even say who it is), the run was stopped instead.
 */
export function exitCodeOf(error: unknown): ExitCode {
  if (!(error instanceof FerryError)) return EXIT.unexpected;
  if (error.exitCode !== EXIT.someFailed) return error.exitCode;
  const siteIsDown = error instanceof StatusError && (error.status >= 500 || error.status === 429);
  return siteIsDown ? EXIT.unreachable : EXIT.stopped;
}

function wordsFor(error: unknown, debug: boolean): string {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof FerryError) return message;
  const next = debug ? "with what follows" : "after running it again with --debug, which shows where it happened";
  return (
    `Unexpected failure: ${message}\nThis is a defect of guideferry, or of something it relies on. What was done so far ` +
    `is kept. Please report it ${next}.`
  );
}
