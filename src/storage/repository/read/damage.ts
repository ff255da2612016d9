import { ArchiveError, EXIT } from "../../../core/errors.js";

const WHAT_NOW =
  "`guideferry verify REPO` tells everything that is hit; `guideferry repair REPO SITE` fetches it again where the site still has it.";

/**
 * Damage of a repository, exit code 6. `what`: a whole sentence that names the thing and its file.
 */
export function damage(what: string, cause?: unknown): ArchiveError {
  const because = cause instanceof Error ? ` (${firstLine(cause.message)})` : "";
  return new ArchiveError(`${what}${because} ${WHAT_NOW}`, {
    exitCode: EXIT.differences,
    ...(cause === undefined ? {} : { cause }),
  });
}

/**
 * Is it what a repository's bytes are to blame for, and not the disk, a missing key or a defect?
 */
export function isDamage(error: unknown): error is ArchiveError {
  return error instanceof ArchiveError && error.exitCode === EXIT.differences;
}

/** What a reading gives; undefined: what it reads is damaged. */
export async function unlessDamaged<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}

/** The words of damage without what to do, where that is said once for many. */
export function withoutAdvice({ message }: Error): string {
  return message.endsWith(WHAT_NOW) ? message.slice(0, -WHAT_NOW.length - 1) : message;
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0]?.replace(/[.:]$/, "") ?? "";
}
