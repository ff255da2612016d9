import { endingOf, nameOf } from "./markers.js";

const ENDINGS = /^(?:php\d?|phtml|jspx?|aspx?|ashx|cgi|shtml)$/;
const NAMES: ReadonlySet<string> = new Set([".htaccess", "web.config"]);

/** Would a web server run or obey it (training modules, 3.1)? Judged by its name alone. */
export function isServerSide(path: string): boolean {
  return ENDINGS.test(endingOf(path)) || NAMES.has(nameOf(path).toLowerCase());
}
