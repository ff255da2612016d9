import { bareAddresses } from "../../core/util/bare-addresses.js";

/** A line of a report, not a log file. */
const LONGEST = 300;
/** What stands behind this of a text is never shown, however much of it was white space and signatures. */
const MOST_LOOKED_AT = 10_000;

/**
 * A site's words for one line of a report: no control or direction characters, not endless, and of addresses neither what
 * stands behind the path, which may be a signature, nor names and passwords.
 */
export function plainText(text: string): string {
  const line = bareAddresses(text.slice(0, MOST_LOOKED_AT))
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
