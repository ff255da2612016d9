import { StatusError } from "../../errors.js";
import type { Person } from "../../model/shared.js";
import type { Client } from "../client.js";

/** Finds the same people at the target: by their unique names, and teams by theirs. Nobody is ever created. */
export interface People {
  userOf(person: Person): number | undefined;
  teamOf(name: string): number | undefined;
}

const PAGE = 200;
/** iFixit refuses `offset` above 1000 with 422 (api-facts 1.2). */
const LAST_OFFSET = 1000;

/** Reads the site's users and teams once. A site that doesn't show them (401, 403, 404, 405) knows nobody. */
export async function readPeople(client: Client, signal: AbortSignal): Promise<People> {
  const users = new Map<string, number>();
  for (let offset = 0; offset <= LAST_OFFSET; offset += PAGE) {
    const rows = await rowsOf(client, "users", { limit: PAGE, offset }, signal);
    for (const row of rows) collect(users, row["unique_username"], row["userid"]);
    if (rows.length === 0) break;
  }
  const teams = new Map<string, number>();
  for (const row of await rowsOf(client, "teams", {}, signal)) collect(teams, row["name"], row["teamid"]);
  return {
    userOf: (person) => (person.uniqueName === null ? undefined : users.get(person.uniqueName)),
    teamOf: (name) => teams.get(name),
  };
}

async function rowsOf(
  client: Client,
  path: string,
  query: Readonly<Record<string, number>>,
  signal: AbortSignal,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  try {
    const { json } = await client.get(path, { query }, signal);
    return Array.isArray(json) ? (json as readonly Readonly<Record<string, unknown>>[]) : [];
  } catch (error) {
    if (error instanceof StatusError && [401, 403, 404, 405, 422].includes(error.status)) return [];
    throw error;
  }
}

function collect(into: Map<string, number>, name: unknown, id: unknown): void {
  if (typeof name === "string" && typeof id === "number") into.set(name, id);
}
