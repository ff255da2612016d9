import { closest, distance } from "fastest-levenshtein";

/** ` Did you mean "rate"?` with a space before it, or nothing when no name is near. */
export function suggest(given: string, known: readonly string[]): string {
  const near = nearest(given, known);
  return near === undefined ? "" : ` Did you mean "${near}"?`;
}

/** The name that was probably meant; undefined when none is near. */
export function nearest(given: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const name = closest(given, known);
  // A third of the letters may be wrong; beyond that a suggestion is noise.
  return distance(given.toLowerCase(), name.toLowerCase()) <= Math.max(2, given.length / 3) ? name : undefined;
}
