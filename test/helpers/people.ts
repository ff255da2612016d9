import type { PeopleRow } from "../../src/core/writing.js";
import type { Sandbox } from "../../src/sandbox/index.js";

/**
 * Makes somebody at a sandbox; the address is made of the unique name unless one is given. Returns
 * the id.
 */
export function makeUser(
  sandbox: Sandbox,
  uniqueName: string | null,
  email = `${uniqueName ?? "nameless"}@people.example`,
): number {
  const named = uniqueName === null ? {} : { unique_username: uniqueName, username: `Name of ${uniqueName}` };
  return sandbox.edit.createUser(email, named);
}

/** Rows of a map as a file would give them. */
export function rows(pairs: Readonly<Record<string, string>>): readonly PeopleRow[] {
  return Object.entries(pairs).map(([old, to], index) => ({ where: `users.csv:${index + 2}`, old, new: to }));
}
