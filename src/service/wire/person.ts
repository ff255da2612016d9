import type { Person } from "../../core/model/shared.js";
import type { Place } from "./place.js";

/** A light user (api-facts 2.3), or null where none is. Old lists name users by number only. */
export function readPerson(place: Place): Person | null {
  const bare = typeof place.value === "number";
  const user = bare ? undefined : place.object();
  const id = bare ? place.integer() : (user?.at("userid").integer() ?? null);
  if (id === null) return null;
  if (user === undefined) return { id, name: "", uniqueName: null };
  return { id, name: user.at("username").text(), uniqueName: user.at("unique_username").textOrNull() };
}
