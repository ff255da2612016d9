import { UsageError } from "../../core/errors.js";
import type { Person, Team } from "../../core/model/identity.js";
import type { Key } from "../../core/model/key.js";
import type { Directory } from "../../core/writing.js";
import type { Named, SourcePeople } from "./source-people.js";

/** Who the people of the source are at the target. */
export interface PeopleThere {
  /**
   * By id at the source: those whom a map or an equal e-mail address names, or drops. Others go by
   * their own names.
   */
  readonly users: ReadonlyMap<number, Person>;
  readonly teams: ReadonlyMap<number, Team>;
  /** The titles at the target of the pages about users and teams who are there. */
  readonly pages: ReadonlyMap<Key, string>;
  /** Whom nobody there stands for, and whom no map drops. */
  readonly unknown: { readonly users: readonly Named<Person>[]; readonly teams: readonly Named<Team>[] };
  /**
   * The `old` of rows that mean nobody whom the content names; ids apart, since texts may name
   * them.
   */
  readonly unused: { readonly users: readonly string[]; readonly teams: readonly string[] };
}

export const NOBODY: PeopleThere = {
  users: new Map(),
  teams: new Map(),
  pages: new Map(),
  unknown: { users: [], teams: [] },
  unused: { users: [], teams: [] },
};

/**
 * Finds everybody whom the content names at the target: as the maps say, else by the unique name,
 * else by the e-mail address; teams by their name. Throws UsageError when two rows of a map mean
 * the same person and name different ones. `emails`: by the user's id.
 */
export async function peopleThere(
  source: SourcePeople,
  emails: ReadonlyMap<number, string>,
  directory: Directory,
  signal: AbortSignal,
): Promise<PeopleThere> {
  const users = await found(source.users, (user) => foundUser(user, emails.get(user.id), directory, signal));
  const teams = await found(source.teams, async (team) => foundTeam(team, directory));
  const faults = [...users.faults, ...teams.faults];
  if (faults.length > 0) {
    throw new UsageError(`The maps of people contradict themselves:\n  ${faults.join("\n  ")}\nNothing was written.`);
  }
  return {
    users: users.given,
    teams: teams.given,
    pages: new Map([...pagesOf("USER", users.ids, directory.users), ...pagesOf("TEAM", teams.ids, directory.teams)]),
    unknown: { users: users.unknown, teams: teams.unknown },
    unused: {
      users: unusedIn(
        directory.users,
        [...source.users.values()].flatMap(({ who }) => namesOfUser(who, emails.get(who.id))),
      ),
      teams: unusedIn(
        directory.teams,
        [...source.teams.values()].flatMap(({ who }) => namesOfTeam(who)),
      ),
    },
  };
}

/** What a row may call a user. */
function namesOfUser({ id, uniqueName }: Person, email: string | undefined): readonly string[] {
  return [String(id), uniqueName?.toLowerCase(), email].filter((name) => name !== undefined);
}

function namesOfTeam({ id, name }: Team): readonly string[] {
  return [String(id), name];
}

function unusedIn(map: ReadonlyMap<string, unknown>, names: readonly string[]): readonly string[] {
  const known = new Set(names);
  return [...map.keys()].filter((old) => !known.has(old) && !/^\d+$/.test(old));
}

/** What is known of somebody: a map's word, an id by an equal name, or a fault of the maps. */
type Found<T> = { readonly given: T } | { readonly id: number } | { readonly fault: string } | undefined;

interface Sorted<T> {
  readonly given: ReadonlyMap<number, T>;
  readonly ids: ReadonlyMap<number, number>;
  readonly unknown: readonly Named<T>[];
  readonly faults: readonly string[];
}

async function found<T extends Person | Team>(
  named: ReadonlyMap<number, Named<T>>,
  find: (who: T) => Promise<Found<T>>,
): Promise<Sorted<T>> {
  const given = new Map<number, T>();
  const ids = new Map<number, number>();
  const unknown: Named<T>[] = [];
  const faults: string[] = [];
  for (const [id, one] of named) {
    const at = await find(one.who);
    if (at === undefined) unknown.push(one);
    else if ("fault" in at) faults.push(at.fault);
    else if ("id" in at) ids.set(id, at.id);
    else {
      given.set(id, at.given);
      if (at.given.given === "target") ids.set(id, at.given.id);
    }
  }
  return { given, ids, unknown, faults };
}

async function foundUser(
  user: Person,
  email: string | undefined,
  directory: Directory,
  signal: AbortSignal,
): Promise<Found<Person>> {
  const word = wordOf(namesOfUser(user, email), user, directory.users);
  if (word !== undefined) return word;
  const named = user.uniqueName === null ? undefined : directory.userNamed(user.uniqueName);
  if (named !== undefined) return { id: named.id };
  const written = email === undefined ? undefined : await directory.userWithEmail(email, signal);
  return written === undefined ? undefined : { given: { ...written, given: "target" } };
}

function foundTeam(team: Team, directory: Directory): Found<Team> {
  const word = wordOf(namesOfTeam(team), team, directory.teams);
  if (word !== undefined) return word;
  const named = directory.teamNamed(team.name);
  return named === undefined ? undefined : { id: named.id };
}

function wordOf<T extends Person | Team>(
  names: readonly string[],
  who: T,
  map: ReadonlyMap<string, T | null>,
): Found<T> {
  const words = names.flatMap((name) => (map.has(name) ? [map.get(name) ?? null] : []));
  const [first] = words;
  if (first === undefined) return undefined;
  if (new Set(words.map((word) => word?.id ?? null)).size > 1) {
    return { fault: `${who.id} ${JSON.stringify(who.name)} stands in several rows, which name different people` };
  }
  return { given: first === null ? { ...who, given: "nobody" } : first };
}

/** A row that names an id counts for texts also where no other content names them. */
function pagesOf(
  namespace: "USER" | "TEAM",
  ids: ReadonlyMap<number, number>,
  map: ReadonlyMap<string, Person | Team | null>,
): readonly (readonly [Key, string])[] {
  const rows = [...map].flatMap(([old, there]) =>
    /^\d+$/.test(old) && there !== null ? [[Number(old), there.id] as const] : [],
  );
  return [...rows, ...ids].map(([from, to]) => [pageOf(namespace, from), String(to)] as const);
}

/** `wiki/USER/12` */
function pageOf(namespace: "USER" | "TEAM", id: number): Key {
  return `wiki/${namespace}/${id}`;
}
