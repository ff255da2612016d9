import { shown } from "../../transforms/training/findings.js";

/** Limit in characters. Long enough for paths, since a shortened path names no file. */
const LONGEST = 1000;

/** One printable line of at most 200 characters (training modules, 6.4). */
export function plainTitle(title: string): string {
  return shown(withoutSignIn(title));
}

/** One printable line, without user names and passwords of addresses (training modules, 6.4). */
export function plain(text: string): string {
  return shown(withoutSignIn(text), LONGEST);
}

/** `https://host/` for `https://user:password@host/`. A backslash is a slash (WHATWG URL). */
function withoutSignIn(text: string): string {
  return text.replace(/([/\\]{2})[^\s/\\?#@]*(?:@[^\s/\\?#@]*)*@/g, "$1");
}
