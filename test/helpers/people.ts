import type { PeopleRow } from "../../src/core/contracts.js";
import type { Sandbox } from "../../src/sandbox/index.js";
import { post } from "./small-sites.js";

/**
 * Makes somebody at a sandbox; the address is made of the unique name unless one is given. Returns
 * the id.
 */
export async function makeUser(
  sandbox: Sandbox,
  uniqueName: string | null,
  email = `${uniqueName ?? "nameless"}@people.example`,
): Promise<number> {
  const made = (await post(sandbox, "users/createByEmails", { emails: [email] })) as unknown as readonly {
    readonly userid: number;
  }[];
  const id = made[0]?.userid ?? 0;
  if (uniqueName !== null) {
    await post(sandbox, `users/${id}`, { unique_username: uniqueName, username: `Name of ${uniqueName}` }, "PATCH");
  }
  return id;
}

/** Rows of a map as a file would give them. */
export function rows(pairs: Readonly<Record<string, string>>): readonly PeopleRow[] {
  return Object.entries(pairs).map(([old, to], index) => ({ where: `users.csv:${index + 2}`, old, new: to }));
}
