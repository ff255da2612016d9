import { closest, distance } from "fastest-levenshtein";

/** ` Did you mean "rate"?` with a space before it, or nothing when no name is near. */
export function suggest(given: string, known: readonly string[]): string {
  if (known.length === 0) return "";
  const nearest = closest(given, known);
  // A third of the letters may be wrong; beyond that a suggestion is noise.
  const near = distance(given.toLowerCase(), nearest.toLowerCase()) <= Math.max(2, given.length / 3);
  return near ? ` Did you mean "${nearest}"?` : "";
}
