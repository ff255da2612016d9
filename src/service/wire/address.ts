import type { Place } from "./place.js";

/** An absolute address, or null where none is; site-relative ones (`/Document/…`: api-facts 3.6) are completed. */
export function readAddress(place: Place): string | null {
  const text = place.textOrNull();
  if (text === null || text === "") return null;
  if (URL.canParse(text)) return text;
  if (URL.canParse(text, place.reading.origin)) return new URL(text, place.reading.origin).href;
  place.report("bad-address", "loss", "is no address; it is taken as absent");
  return null;
}
