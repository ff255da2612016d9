import { inspect } from "node:util";
import { EXIT, type ExitCode, FerryError } from "../../errors.js";

/** The words for an error that ended a run, and the exit code. A stack trace is given with `--debug` only. */
export function explainError(error: unknown, debug: boolean): { readonly text: string; readonly exitCode: ExitCode } {
  const exitCode = error instanceof FerryError ? error.exitCode : EXIT.unexpected;
  return { text: `${wordsFor(error, debug)}${debug ? `\n${inspect(error)}` : ""}`, exitCode };
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
