import { UsageError } from "../../core/errors.js";
import type { Person, Team } from "../../core/model/identity.js";
import type { Key } from "../../core/model/key.js";
import { type CsvRow, readRows } from "../../core/util/csv.js";
import type { Directory, PeopleRow } from "../../core/writing.js";
import type { Named, SourcePeople } from "./source-people.js";

export type PeopleKind = "users" | "teams";

/**
 * Reads a map of people: CSV (RFC 4180) in UTF-8 with a header that names the columns `old` and
 * `new` in any order and letter case; other columns are ignored. The header decides whether commas,
 * semicolons or TABs separate fields. Throws UsageError with file and line of each error.
 * | @param name the name of the file in messages
 */
export function parsePeopleMap(text: string, name: string, kind: PeopleKind): readonly PeopleRow[] {
  const bare = text.replace(/^\uFEFF/, "");
  const { rows, faults } = readRows(bare, { separator: separatorIn(bare) });
  if (faults.length > 0) throw refusal(faults.map(({ line, what }) => `${name}:${line}: ${what}`));
  const [head, ...body] = rows;
  const columns = head?.fields.map((field) => field.trim().toLowerCase()) ?? [];
  const missing = ["old", "new"].filter((column) => columns.filter((one) => one === column).length !== 1);
  if (missing.length > 0) {
    const has = columns.length === 0 ? "it is empty" : `it has ${columns.map((one) => JSON.stringify(one)).join(", ")}`;
    throw refusal([`${name}:1: the first line must name one column ${missing.join(" and one column ")}; ${has}`]);
  }
  return peopleRows(body, columns, name, kind);
}

function separatorIn(text: string): string {
  const [head = ""] = /^[^\r\n]*/.exec(text) ?? [];
  return [";", "\t"].find((separator) => head.includes(separator) && !head.includes(",")) ?? ",";
}

function peopleRows(
  rows: readonly CsvRow[],
  columns: readonly string[],
  name: string,
  kind: PeopleKind,
): readonly PeopleRow[] {
  const found = new Map<string, PeopleRow>();
  const faults: string[] = [];
  for (const { line, fields } of rows) {
    const where = `${name}:${line}`;
    const fault = fieldFault(fields, columns);
    const old = nameIn(fields[columns.indexOf("old")] ?? "", kind);
    const before = found.get(old);
    if (fault !== undefined) faults.push(`${where}: ${fault}`);
    else if (old === "")
      faults.push(`${where}: "old" is empty, so the row names no person or team. Fill it in, or remove the row`);
    else if (before !== undefined)
      faults.push(`${where}: it has the same "old" as ${before.where}. Remove one of the two rows`);
    else found.set(old, { where, old, new: (fields[columns.indexOf("new")] ?? "").trim() });
  }
  if (faults.length > 0) throw refusal(faults);
  return [...found.values()];
}

function fieldFault(fields: readonly string[], columns: readonly string[]): string | undefined {
  if (fields.length === columns.length) return undefined;
  const why =
    fields.length < columns.length
      ? 'a row with an empty "new" still needs its separator'
      : "quote a field that contains a separator";
  return `the row has ${fields.length} columns, the header has ${columns.length}: ${why}`;
}

/** Unique names and addresses ignore letter case (api-facts 2.3), and ids leading zeros. */
function nameIn(field: string, kind: PeopleKind): string {
  const text = field.trim();
  if (/^\d+$/.test(text)) return String(Number(text));
  return kind === "users" ? text.toLowerCase() : text;
}

function refusal(faults: readonly string[]): UsageError {
  return new UsageError(
    `${faults.join("\n")}\nNothing was written. Correct the file, then run the same command again.`,
  );
}

/** The matches of people of the source on the target. */
export interface PeopleThere {
  /**
   * By id at the source: people that a map or an equal e-mail address names, or that a map drops.
   * Others are matched by their own names.
   */
  readonly users: ReadonlyMap<number, Person>;
  readonly teams: ReadonlyMap<number, Team>;
  readonly pages: ReadonlyMap<Key, string>;
  /** People without a match whom no map drops. */
  readonly unknown: { readonly users: readonly Named<Person>[]; readonly teams: readonly Named<Team>[] };
  /** The `old` of rows that match nobody in the content. Without ids, since texts may name them. */
  readonly unused: { readonly users: readonly string[]; readonly teams: readonly string[] };
}

export const NOBODY: PeopleThere = {
  users: new Map(),
  teams: new Map(),
  pages: new Map(),
  unknown: { users: [], teams: [] },
  unused: { users: [], teams: [] },
};

/** The people that the content names, by id. */
export interface NamedPeople extends Pick<SourcePeople, "users" | "teams"> {
  /** E-mail addresses by user id. */
  readonly emails: ReadonlyMap<number, string>;
}

/**
 * Finds the matches of all people of the content: by the maps, else by the unique name, else by the
 * e-mail address; teams by their name. Throws UsageError when two rows of a map match one person
 * and name different ones.
 */
export async function peopleThere(
  source: NamedPeople,
  directory: Directory,
  signal: AbortSignal,
): Promise<PeopleThere> {
  const { emails } = source;
  const users = await found(source.users, (user) => foundUser(user, emails.get(user.id), directory, signal));
  const teams = await found(source.teams, async (team) => foundTeam(team, directory));
  const faults = [...users.faults, ...teams.faults];
  if (faults.length > 0) {
    throw new UsageError(`The maps of people have contradictory rows:\n  ${faults.join("\n  ")}\nNothing was written.`);
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
    return { fault: `${who.id} ${JSON.stringify(who.name)} has several rows with different people` };
  }
  return { given: first === null ? { ...who, given: "nobody" } : first };
}

/** A row with an id applies to texts, even where no other content names that person. */
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

function pageOf(namespace: "USER" | "TEAM", id: number): Key {
  return `wiki/${namespace}/${id}`;
}
