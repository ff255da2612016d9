import type { Directory, PeopleMaps, PeopleRow } from "../../core/contracts.js";
import { UsageError } from "../../core/errors.js";
import type { Person, Team } from "../../core/model/shared.js";
import { segment } from "../client.js";
import type { PeopleLists } from "./people-lists.js";

/** Whom the rows of the maps mean at a site. Throws UsageError that lists every row which means nobody there. */
export async function givenPeople(
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
    `The maps of people name ${faults.length === 1 ? "somebody who is" : `${faults.length} who are`} not at ${root}:\n  ${faults.join("\n  ")}\n` +
      `Nothing was written. Make them there first, correct "new", or leave it empty where nobody is meant.`,
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
    // An address is nobody else's business: messages never repeat it.
    return meant(
      listed ?? (await lists.ask(`users/email/${segment(name)}`, signal)),
      'no user has the e-mail address in "new", or this account may not look it up: give the id or the unique name',
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
    return `${named.length} teams are called ${JSON.stringify(name)}: give the id`;
  }
  const found = byId ?? named[0];
  return found === undefined ? `no team has the id or name ${JSON.stringify(name)}` : { ...found, given: "target" };
}
