import type { Person, SiteIdentity } from "../../core/model/identity.js";
import type { Guide } from "../../core/model/item.js";
import type { JsonCursor } from "./json-cursor.js";

/** A light user (api-facts 2.3), or null. Old lists name users by id only. */
export function readPerson(place: JsonCursor): Person | null {
  const bare = typeof place.value === "number";
  const user = bare ? undefined : place.object();
  const id = bare ? place.integer() : (user?.at("userid").integer() ?? null);
  if (id === null) return null;
  if (user === undefined) return { id, name: "", uniqueName: null };
  return { id, name: user.at("username").text(), uniqueName: user.at("unique_username").textOrNull() };
}

export type Team = NonNullable<Guide["viewers"]>["teams"][number];

/** `GET guides/{id}/users`: a list; a delete answers `{users}` (api-facts 4.7). */
export function readViewingUsers(answer: JsonCursor): readonly Person[] {
  const list = Array.isArray(answer.value) ? answer : answer.at("users");
  return list.items().flatMap((place) => readPerson(place) ?? []);
}

/** `GET guides/{id}/teams`: `{guideTeams}`. The name may be empty; `GET teams` has it. */
export function readViewingTeams(answer: JsonCursor): readonly Team[] {
  const list = Array.isArray(answer.value) ? answer : answer.at("guideTeams");
  return list.items().flatMap((place) => readTeam(place) ?? []);
}

/** A row of `GET teams` (api-facts 9), or a bare team id. */
export function readTeam(place: JsonCursor): Team | undefined {
  const bare = typeof place.value === "number";
  const team = bare ? undefined : place.object();
  const id = bare ? place.integer() : (team?.at("teamid").integer() ?? null);
  return id === null ? undefined : { id, name: team?.at("name").text() ?? "" };
}

/** The account of `GET user` (api-facts 2.3); null when the answer has no user. */
export function readAccount(user: JsonCursor): SiteIdentity["account"] {
  const id = user.at("userid").integer();
  if (id === null) return null;
  const privileges = [...user.at("privileges").texts(), user.at("greatest_privilege").text()];
  return {
    id,
    name: user.at("username").text(),
    // Only the privilege `User` is documented; every admin privilege begins like this.
    admin: privileges.some((privilege) => /^(site )?admin/i.test(privilege)),
  };
}
