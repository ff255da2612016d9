import { ArchiveError, EXIT } from "../../../core/errors.js";

const WHAT_NOW =
  "`guideferry verify REPO` lists all damage; `guideferry repair REPO SITE` fetches again what the site still has.";

/** Damage of a repository, exit code 6. `what`: a sentence that names the content and its file. */
export function damage(what: string, cause?: unknown): ArchiveError {
  const because = cause instanceof Error ? ` (${firstLine(cause.message)})` : "";
  return new ArchiveError(`${what}${because} ${WHAT_NOW}`, {
    exitCode: EXIT.differences,
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Is the error damage of a repository, not of the disk, a missing key or a defect? */
export function isDamage(error: unknown): error is ArchiveError {
  return error instanceof ArchiveError && error.exitCode === EXIT.differences;
}

/** The result of `read`; undefined: damage. */
export async function unlessDamaged<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}

/** The message of damage without the remedy, for lists with one remedy. */
export function withoutAdvice({ message }: Error): string {
  return message.endsWith(WHAT_NOW) ? message.slice(0, -WHAT_NOW.length - 1) : message;
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0]?.replace(/[.:]$/, "") ?? "";
}
