import type { SafeHtml } from "../../../../transforms/html/reader/safe-html.js";
import type { Key } from "../../../core/model/key.js";
import type { Wiki } from "../../../core/model/wiki.js";
import type { Texts } from "./texts.js";

/**
 * A page's contents: from what people typed; from what the site made of it where that is all there is, or where it has a table, which the syntax that is known
 * does not have.
 */
export function contentsOf(wiki: Pick<Wiki, "contents" | "html">, texts: Texts): SafeHtml {
  return isShownAsHtml(wiki) ? texts.html(wiki.html) : texts.page(wiki.contents);
}

/** Whether what the site made of a page's contents is shown, not what people typed. */
export function isShownAsHtml({ contents, html }: Pick<Wiki, "contents" | "html">): boolean {
  const hasTable = html.includes("<table") && !contents.includes("<table");
  return contents.trim() === "" || hasTable;
}

/** The media that a page shows outside of its texts. */
export function wikiMedia({ image, documents }: Wiki): readonly Key[] {
  return image === null ? documents : [image, ...documents];
}
