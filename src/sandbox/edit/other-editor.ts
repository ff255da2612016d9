import type { UserRecord } from "../state/user.js";

/** Who the hands of {@link Editor} belong to: not a user of the table, so that `GET /users` does not show it. */
export const OTHER_EDITOR: UserRecord = { userid: 999_999, username: "Other Editor", admin: true, loaded: {} };

/** The value, or an error that names what is not there. */
export function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`The sandbox has no ${what}.`);
  return value;
}
