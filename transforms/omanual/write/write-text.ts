import type { ManualText } from "../manual.js";
import type { Tell } from "./finding.js";
import { simplify } from "./html/simplify.js";

/** The markup of a page's text. Wiki syntax that was read beside it is not written: no schema has an attribute for it. */
export function writeText(text: ManualText | null, path: string, tell: Tell): string {
  return text === null ? "" : simplify(text.html, { context: "page", path }, tell);
}
