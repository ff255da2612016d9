import { isObject, type Place } from "./place.js";

/**
 * Flag ids in their order, from each of the three forms: ids (lists, writes), objects with `flagid` (full guides), or a map
 * keyed by id (wikis; `[]` when empty).
 */
export function readFlags(place: Place): readonly string[] {
  if (isObject(place.value)) return Object.keys(place.value);
  return place.items().flatMap((item) => {
    const id = isObject(item.value) ? item.at("flagid").textOrNull() : item.textOrNull();
    return id === null ? [] : [id];
  });
}
