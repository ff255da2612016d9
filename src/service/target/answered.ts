import { EXIT, FerryError } from "../../core/errors.js";

/**
 * A create was answered, and what had to be asked after it failed. Whatever the cause says (a refusal, an ended sign-in),
 * the thing was made: only `find` may decide what is to be done.
 */
export class AnsweredError extends FerryError {
  override readonly name = "AnsweredError";
}

/** Asks what has to be asked after the answer to a create. Throws AnsweredError for whatever goes wrong. */
export async function afterAnswer<T>(label: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const exitCode = cause instanceof FerryError ? cause.exitCode : EXIT.someFailed;
    throw new AnsweredError(
      `${label}: the site made it, but what had to be asked then failed: ${reason} Run the same command again: it is looked for first.`,
      { cause, exitCode },
    );
  }
}
