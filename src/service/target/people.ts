import { StatusError, UsageError } from "../../core/errors.js";
import type { Person, Team } from "../../core/model/identity.js";
import { listIn, objectIn, textIn } from "../../core/util/json.js";
import type { Directory, PeopleMaps, PeopleRow } from "../../core/writing.js";
import { type Client, segment } from "../http/client.js";
import { NOT_AVAILABLE } from "../http/status-error.js";

/** Matches people of the source on the target: by a map, else by unique name; teams by name. */
export interface People {
  userOf(person: Person): number | undefined;
  teamOf(team: Team): number | undefined;
  readonly directory: Directory;
}

/** A site may show no users and teams. Throws UsageError when the maps name missing people. */
export async function readPeople(client: Client, maps: PeopleMaps, signal: AbortSignal): Promise<People> {
  const lists = await readPeopleLists(client, signal);
  const given = await givenPeople(maps, lists, client.root, signal);
  const byName = new Map(lists.users.flatMap((user) => (user.uniqueName === null ? [] : [[user.uniqueName, user]])));
  const directory: Directory = {
    ...given,
    userNamed: (name) => byName.get(name),
    userWithEmail: async (email, now) =>
      lists.byEmail.get(email.toLowerCase()) ?? lists.ask(`users/email/${segment(email)}`, now),
    // Teams with the same name are ambiguous.
    teamNamed: (name) => {
      const [found, other] = lists.teams.filter((team) => team.name === name);
      return other === undefined ? found : undefined;
    },
  };
  return {
    userOf: (person) => {
      if (person.given !== undefined) return person.given === "target" ? person.id : undefined;
      return person.uniqueName === null ? undefined : byName.get(person.uniqueName)?.id;
    },
    teamOf: (team) => {
      if (team.given !== undefined) return team.given === "target" ? team.id : undefined;
      return directory.teamNamed(team.name)?.id;
    },
    directory,
  };
}

/** Throws UsageError that lists every row without a match. */
async function givenPeople(
  maps: PeopleMaps,
  lists: PeopleLists,
  root: string,
  signal: AbortSignal,
): Promise<Pick<Directory, "users" | "teams">> {
  const faults: string[] = [];
  const resolved = async <T>(
    rows: readonly PeopleRow[],
    find: (name: string) => T | string | Promise<T | string>,
  ): Promise<ReadonlyMap<string, T | null>> => {
    const found = new Map<string, T | null>();
    for (const row of rows) {
      const there = row.new === "" ? null : await find(row.new);
      if (typeof there === "string") faults.push(`${row.where}: ${there}`);
      else found.set(row.old, there);
    }
    return found;
  };
  const users = await resolved(maps.users, (name) => findUser(name, lists, signal));
  const teams = await resolved(maps.teams, (name) => findTeam(name, lists));
  if (faults.length === 0) return { users, teams };
  throw new UsageError(
    `The maps of people name ${faults.length === 1 ? "1 user or team that is" : `${faults.length} users or teams that are`} not on ${root}:\n  ${faults.join("\n  ")}\n` +
      `Nothing was written. Create them there first, correct the column "new", or leave it empty for a person without a match.`,
  );
}

async function findUser(name: string, lists: PeopleLists, signal: AbortSignal): Promise<Person | string> {
  if (/^\d+$/.test(name)) {
    const id = Number(name);
    const listed = lists.users.find((user) => user.id === id);
    return meant(listed ?? (await lists.ask(`users/${id}`, signal)), `no user has the id ${id}`);
  }
  if (name.includes("@")) {
    const listed = lists.byEmail.get(name.toLowerCase());
    // E-mail addresses are private: no message repeats one.
    return meant(
      listed ?? (await lists.ask(`users/email/${segment(name)}`, signal)),
      'no user has the e-mail address in "new", or this account may not search for it: give the id or the unique name',
    );
  }
  const named = lists.users.find((user) => user.uniqueName === name.toLowerCase());
  return meant(named, `no user has the unique name ${JSON.stringify(name)}`);
}

function meant(person: Person | undefined, fault: string): Person | string {
  return person === undefined ? fault : { ...person, given: "target" };
}

function findTeam(name: string, { teams }: PeopleLists): Team | string {
  const named = teams.filter((team) => team.name === name);
  const byId = /^\d+$/.test(name) ? teams.find((team) => team.id === Number(name)) : undefined;
  if (byId === undefined && named.length > 1) {
    return `${named.length} teams have the name ${JSON.stringify(name)}: give the id`;
  }
  const found = byId ?? named[0];
  return found === undefined ? `no team has the id or name ${JSON.stringify(name)}` : { ...found, given: "target" };
}

/** E-mail addresses stay in this module: nothing stores or prints one. */
interface PeopleLists {
  readonly users: readonly Person[];
  /** By the address in lower case; only where the list of the site has it. */
  readonly byEmail: ReadonlyMap<string, Person>;
  readonly teams: readonly Team[];
  /** The answer to `GET users/…`; undefined: no such user, or not visible to the account. */
  ask(path: string, signal: AbortSignal): Promise<Person | undefined>;
}

const PAGE = 200;
/** None, or not for this account. iFixit refuses `offset` above 1000 with 422 (api-facts 1.2). */
const REFUSED: readonly number[] = [401, 403, ...NOT_AVAILABLE, 422];

async function readPeopleLists(client: Client, signal: AbortSignal): Promise<PeopleLists> {
  const [people, teams] = await Promise.all([readUsers(client, signal), rowsOf(client, "teams", {}, signal)]);
  return {
    ...people,
    teams: teams.flatMap(teamIn),
    ask: async (path, now) => {
      const answer = await client.get(path, { expect: REFUSED, refusable: true }, now);
      return answer.status === 200 ? userIn(answer.json) : undefined;
    },
  };
}

async function readUsers(client: Client, signal: AbortSignal): Promise<Pick<PeopleLists, "users" | "byEmail">> {
  const byEmail = new Map<string, Person>();
  const users = new Map<number, Person>();
  let known = -1;
  // Stops at a page without a new user, since some sites ignore `offset`.
  for (let offset = 0; users.size > known; offset += PAGE) {
    known = users.size;
    for (const row of await rowsOf(client, "users", { limit: PAGE, offset }, signal)) {
      const user = userIn(row);
      if (user === undefined) continue;
      users.set(user.id, user);
      const { email } = objectIn(row);
      if (typeof email === "string" && email !== "") byEmail.set(email.toLowerCase(), user);
    }
  }
  return { users: [...users.values()], byEmail };
}

async function rowsOf(
  client: Client,
  path: string,
  query: Readonly<Record<string, number>>,
  signal: AbortSignal,
): Promise<readonly unknown[]> {
  try {
    const { json } = await client.get(path, { query }, signal);
    return listIn(json);
  } catch (error) {
    if (error instanceof StatusError && REFUSED.some((status) => status === error.status)) return [];
    throw error;
  }
}

function userIn(row: unknown): Person | undefined {
  const { userid, username, unique_username } = objectIn(row);
  if (typeof userid !== "number") return undefined;
  return {
    id: userid,
    name: textIn(username),
    uniqueName: typeof unique_username === "string" && unique_username !== "" ? unique_username : null,
  };
}

function teamIn(row: unknown): readonly Team[] {
  const { teamid, name } = objectIn(row);
  return typeof teamid === "number" && typeof name === "string" && name !== "" ? [{ id: teamid, name }] : [];
}
