import { shown } from "../../transforms/training/findings.js";

/**
 * Characters of a path, a clause or a site's words in a report. A path may be long, and cut short
 * it names no file.
 */
const LONGEST = 1000;

/** A title in a report: one printable line of at most 200 characters (training modules, 6.4). */
export function plainTitle(title: string): string {
  return shown(withoutSignIn(title));
}

/**
 * Any other foreign text in a report: one printable line, and no user name or password of an
 * address in it (training modules, 6.4).
 */
export function plain(text: string): string {
  return shown(withoutSignIn(text), LONGEST);
}

/**
 * `https://user:password@host/` as `https://host/`. Back-slashes count as slashes in addresses
 * (WHATWG URL).
 */
function withoutSignIn(text: string): string {
  return text.replace(/([/\\]{2})[^\s/\\?#@]*(?:@[^\s/\\?#@]*)*@/g, "$1");
}
