import type { Part } from "../../core/model/guide.js";
import type { Place } from "./place.js";

/** The parts or tools of a guide (api-facts 3.7); reading calls the name `text`, writing `name`. */
export function readParts(list: Place): readonly Part[] {
  return list.items().flatMap((place) => {
    const part = place.object();
    return part === undefined ? [] : [readPart(part)];
  });
}

function readPart(part: Place): Part {
  return {
    name: part.at("text").textOrNull() ?? part.at("name").text(),
    type: part.at("type").text(),
    quantity: readQuantity(part.at("quantity")),
    notes: part.at("notes").text(),
    url: part.at("url").textOrNull(),
    optional: part.at("isoptional").flag(),
    featured: part.at("featured").flag(),
  };
}

/** Current sites answer a number, older ones text; both are right (api-facts 3.7). */
function readQuantity(place: Place): number | null {
  return typeof place.value === "string" && /^\d+$/.test(place.value) ? Number(place.value) : place.number();
}
