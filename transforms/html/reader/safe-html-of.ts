import type { ElementContent } from "hast";
import { SKIPPED } from "../from/elements.js";
import { parseHtml } from "../from/parse-html.js";
import { readTags } from "../from/read-tags.js";
import { writtenNode } from "./code-node.js";
import { foreignNodes } from "./foreign/foreign-nodes.js";
import { readerContext } from "./reader-context.js";
import { LONGEST_FORMATTED } from "./reader-html.js";
import type { ReaderOptions } from "./reader-links.js";
import { type SafeHtml, safeHtml } from "./safe-html.js";

/**
 * HTML that others made, the site's own above all, as HTML for pages of the offline reader: the same elements as `readerHtml` makes of wiki text, and tables;
 * links, pictures and films likewise. Any string is shown, in time in proportion to its length; of one of more than `LONGEST_FORMATTED` UTF-16 units only the
 * words, with character references as they stand.
 */
export function safeHtmlOf(html: string, options: ReaderOptions): SafeHtml {
  return safeHtml(foreignContent(html, options));
}

/** The same before it is written as HTML. */
export function foreignContent(html: string, options: ReaderOptions): readonly ElementContent[] {
  const { inline = false, written = false } = options;
  if (written || html.length > LONGEST_FORMATTED) return [writtenNode(textIn(html))];
  const context = readerContext(options, !inline);
  return [...parseHtml(html).trees].flatMap(({ root }) => foreignNodes(root.children, context));
}

function textIn(html: string): string {
  return readTags(html, SKIPPED)
    .map((token) => (token.type === "text" ? token.value : ""))
    .join("");
}
