import { digest } from "../../../src/core/util/digest.js";

/** Ids of sites are small; derived ones begin here, where every integer is still exact (below 2^53). */
const FIRST_DERIVED = 2 ** 52;

/** A number that stands for a text, the same in every run, for things that have no id of their own. */
export function derivedId(text: string): number {
  return FIRST_DERIVED + Number.parseInt(digest(text).slice(0, 12), 16);
}

/** The id of a site in a text, or null: a positive whole number. */
export function idOf(text: string | null | undefined): number | null {
  return text != null && /^[1-9]\d{0,14}$/.test(text.trim()) ? Number(text) : null;
}
