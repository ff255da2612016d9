import { printable } from "../../storage/archive/printable.js";
import type { StatusError } from "../../core/errors.js";

/** Characters of somebody else's words in a reason. */
const LONGEST = 500;

/** What a status says of any call. */
const REMEDIES: ReadonlyMap<number, string> = new Map([
  [403, "Ask the site's administrator for the right to manage training modules, and run again."],
  [404, "It was deleted at the site meanwhile; the next run goes on without it."],
  [429, "The package is not at fault."],
]);

/** Of the call that the bytes went with: other calls are refused like this for other reasons. */
const PACKAGE_REMEDIES: ReadonlyMap<number, string> = new Map([
  [
    413,
    "The package is too large for the site: make it smaller (videos most of all), or ask for a higher limit, and run again.",
  ],
  [422, "Correct the package in the authoring tool as the site says, and run again."],
]);

/** The site took the call and not the package. */
export function packageRefusal(error: StatusError): string {
  return refusalReason("the package", error, PACKAGE_REMEDIES.get(error.status));
}

/** `The site refused the package with 422: …`. `remedy`: what to do where the status alone doesn't tell. */
export function refusalReason(what: string, { status, message }: StatusError, remedy = OTHERWISE): string {
  return `The site refused ${what} with ${status}: ${sentence(message)} ${REMEDIES.get(status) ?? remedy}`;
}

const OTHERWISE = "Remove the cause and run again.";

/** Words of others, as one sentence that can be shown and kept. */
export function sentence(words: string): string {
  const text = printable(words.trim(), LONGEST);
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
