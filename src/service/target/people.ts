import type { Directory, PeopleMaps } from "../../core/contracts.js";
import type { Person, Team } from "../../core/model/shared.js";
import { type Client, segment } from "../client.js";
import { givenPeople } from "./given-people.js";
import { readPeopleLists } from "./people-lists.js";

/** Finds the same people at the target: as a map says, or by their unique names, and teams by theirs. Nobody is ever created. */
export interface People {
  userOf(person: Person): number | undefined;
  teamOf(team: Team): number | undefined;
  readonly directory: Directory;
}

/** Reads the site's users and teams once. A site that doesn't show them knows nobody. Throws UsageError when the maps name somebody who isn't there. */
export async function readPeople(client: Client, maps: PeopleMaps, signal: AbortSignal): Promise<People> {
  const lists = await readPeopleLists(client, signal);
  const given = await givenPeople(maps, lists, client.root, signal);
  const byName = new Map(lists.users.flatMap((user) => (user.uniqueName === null ? [] : [[user.uniqueName, user]])));
  const directory: Directory = {
    ...given,
    userNamed: (name) => byName.get(name),
    userWithEmail: async (email, now) =>
      lists.byEmail.get(email.toLowerCase()) ?? lists.ask(`users/email/${segment(email)}`, now),
    // Two of one name can't be told apart.
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
