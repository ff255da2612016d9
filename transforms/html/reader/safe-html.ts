import type { ElementContent } from "hast";
import { sanitize } from "hast-util-sanitize";
import { toHtml } from "hast-util-to-html";
import { READER_SCHEMA } from "./schema.js";

declare const safe: unique symbol;

/** HTML that may stand on a page as it is: `safeHtml` alone makes it. */
export type SafeHtml = string & { readonly [safe]: true };

/** Elements and words as HTML that holds nothing but what `READER_SCHEMA` lists. */
export function safeHtml(content: readonly ElementContent[]): SafeHtml {
  return toHtml(sanitize({ type: "root", children: [...content] }, READER_SCHEMA)) as SafeHtml;
}
