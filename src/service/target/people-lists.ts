import { StatusError } from "../../core/errors.js";
import type { Person, Team } from "../../core/model/shared.js";
import type { Client } from "../client.js";
import { NOT_AVAILABLE } from "../not-available.js";
import { asJson } from "./as-left.js";

/** The lists of a site, and where it can be asked beyond them. Addresses stay in here: nothing that is kept or told has one. */
export interface PeopleLists {
  readonly users: readonly Person[];
  /** By the address in lower case; only where the site's list tells it. */
  readonly byEmail: ReadonlyMap<string, Person>;
  readonly teams: readonly Team[];
  /** The answer to `GET users/…`; undefined: there is nobody, or the account may not ask. */
  ask(path: string, signal: AbortSignal): Promise<Person | undefined>;
}

const PAGE = 200;
/** Answers that mean: nobody, or not for this account. iFixit refuses `offset` above 1000 with 422 (api-facts 1.2). */
const REFUSED: readonly number[] = [401, 403, ...NOT_AVAILABLE, 422];

/** Reads the site's users and teams. A site that doesn't show them has none here. */
export async function readPeopleLists(client: Client, signal: AbortSignal): Promise<PeopleLists> {
  const byEmail = new Map<string, Person>();
  const users = new Map<number, Person>();
  let known = -1;
  // Up to a page that brings nobody new: some sites take no notice of `offset`.
  for (let offset = 0; users.size > known; offset += PAGE) {
    known = users.size;
    for (const row of await rowsOf(client, "users", { limit: PAGE, offset }, signal)) {
      const user = userIn(row);
      if (user === undefined) continue;
      users.set(user.id, user);
      const { email } = asJson(row);
      if (typeof email === "string" && email !== "") byEmail.set(email.toLowerCase(), user);
    }
  }
  return {
    users: [...users.values()],
    byEmail,
    teams: (await rowsOf(client, "teams", {}, signal)).flatMap(teamIn),
    ask: async (path, now) => {
      const answer = await client.get(path, { expect: REFUSED, refusable: true }, now);
      return answer.status === 200 ? userIn(answer.json) : undefined;
    },
  };
}

async function rowsOf(
  client: Client,
  path: string,
  query: Readonly<Record<string, number>>,
  signal: AbortSignal,
): Promise<readonly unknown[]> {
  try {
    const { json } = await client.get(path, { query }, signal);
    return Array.isArray(json) ? json : [];
  } catch (error) {
    if (error instanceof StatusError && REFUSED.some((status) => status === error.status)) return [];
    throw error;
  }
}

function userIn(row: unknown): Person | undefined {
  const { userid, username, unique_username } = asJson(row);
  if (typeof userid !== "number") return undefined;
  return {
    id: userid,
    name: typeof username === "string" ? username : "",
    uniqueName: typeof unique_username === "string" && unique_username !== "" ? unique_username : null,
  };
}

function teamIn(row: unknown): readonly Team[] {
  const { teamid, name } = asJson(row);
  return typeof teamid === "number" && typeof name === "string" && name !== "" ? [{ id: teamid, name }] : [];
}
