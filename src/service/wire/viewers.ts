import type { Guide } from "../../core/model/guide.js";
import type { Person } from "../../core/model/shared.js";
import { readPerson } from "./person.js";
import type { Place } from "./place.js";

export type Team = NonNullable<Guide["viewers"]>["teams"][number];

/** `GET guides/{id}/users`: a list of light users; `{users}` is the form that a delete answers (api-facts 4.7). */
export function readViewingUsers(answer: Place): readonly Person[] {
  const list = Array.isArray(answer.value) ? answer : answer.at("users");
  return list.items().flatMap((place) => readPerson(place) ?? []);
}

/** `GET guides/{id}/teams`: `{guideTeams}`. A team without a name has an empty one here; `GET teams` knows it. */
export function readViewingTeams(answer: Place): readonly Team[] {
  const list = Array.isArray(answer.value) ? answer : answer.at("guideTeams");
  return list.items().flatMap((place) => readTeam(place) ?? []);
}

/** A row of `GET teams` (api-facts 9), or a bare team id. */
export function readTeam(place: Place): Team | undefined {
  const bare = typeof place.value === "number";
  const team = bare ? undefined : place.object();
  const id = bare ? place.integer() : (team?.at("teamid").integer() ?? null);
  return id === null ? undefined : { id, name: team?.at("name").text() ?? "" };
}
