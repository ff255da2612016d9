import type { ElementContent } from "hast";
import { parse } from "../../wiki/parse.js";
import type { Tree } from "../../wiki/tree.js";
import { writtenNode } from "./code-node.js";
import { words } from "./node.js";
import { readerBlocks } from "./reader-blocks.js";
import { readerContext } from "./reader-context.js";
import { readerInlines } from "./reader-inlines.js";
import type { ReaderOptions } from "./reader-links.js";
import { type SafeHtml, safeHtml } from "./safe-html.js";

/** Longer texts are shown as characters, so that no text can keep a reader waiting (UTF-16 units). */
export const LONGEST_FORMATTED = 500_000;

/**
 * Wiki text as HTML for pages of the offline reader: what it links to in the archive is linked by relative addresses, whatever is elsewhere is only ever linked,
 * never loaded, and what is not in the archive says so. Any text is shown, in time in proportion to its length; one of more than `LONGEST_FORMATTED` units as
 * it is written.
 */
export function readerHtml(text: string | Tree, options: ReaderOptions): SafeHtml {
  return safeHtml(readerContent(text, options));
}

/** The same before it is written as HTML. */
export function readerContent(text: string | Tree, options: ReaderOptions): readonly ElementContent[] {
  if (typeof text === "string") return contentOfText(text, options);
  const context = readerContext(options, text.type === "page");
  return text.type === "page" ? readerBlocks(text.children, context) : readerInlines(text.children, context);
}

function contentOfText(text: string, options: ReaderOptions): readonly ElementContent[] {
  const { inline = false, written = false } = options;
  if (written || text.length > LONGEST_FORMATTED) return [inline ? words(text) : writtenNode(text)];
  return readerContent(parse(text, { context: inline ? "line" : "page" }).tree, options);
}
