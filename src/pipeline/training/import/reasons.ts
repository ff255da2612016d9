import { printable } from "../../../archive/printable.js";
import type { StatusError } from "../../../errors.js";

/** Characters of somebody else's words in a reason. */
const LONGEST = 500;

const REMEDIES: ReadonlyMap<number, string> = new Map([
  [403, "Ask the site's administrator for the right to manage training modules, and run again."],
  [404, "It was deleted at the site meanwhile; the next run goes on without it."],
  [
    413,
    "The package is too large for the site: make it smaller (videos most of all), or ask for a higher limit, and run again.",
  ],
  [422, "Correct the package in the authoring tool as the site says, and run again."],
]);

/** `The site refused the package with 422: …`. `remedy`: instead of what the status alone tells to do. */
export function refusalReason(what: string, { status, message }: StatusError, remedy = remedyFor(status)): string {
  return `The site refused ${what} with ${status}: ${sentence(message)} ${remedy}`;
}

function remedyFor(status: number): string {
  return REMEDIES.get(status) ?? "Remove the cause and run again.";
}

/** Words of others, as one sentence that can be shown and kept. */
export function sentence(words: string): string {
  const text = printable(words.trim(), LONGEST);
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
