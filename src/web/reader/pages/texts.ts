import { readerHtml } from "../../../../transforms/html/reader/reader-html.js";
import type { ReaderLinks } from "../../../../transforms/html/reader/reader-links.js";
import type { SafeHtml } from "../../../../transforms/html/reader/safe-html.js";
import { safeHtmlOf } from "../../../../transforms/html/reader/safe-html-of.js";
import { type Key, kindOf } from "../../../core/model/key.js";
import type { MediaUse } from "../../../core/model/media.js";
import type { Entry } from "../catalogue.js";
import { tagPath } from "../page-path.js";
import type { MediaFiles } from "./media-files.js";
import { hrefOf, hrefTo, type PageScope } from "./scope.js";
import { createTextBudget } from "./text-budget.js";

/** Makes the texts of one page into HTML, within what a page may cost (see `createTextBudget`). */
export interface Texts {
  /** A line of a step. */
  line(wiki: string): SafeHtml;
  /** Paragraphs. `anchors` keeps the names of headings apart where several texts stand on a page. */
  page(wiki: string, anchors?: string): SafeHtml;
  /** What the site made of a text. */
  html(html: string): SafeHtml;
}

export interface TextsOf {
  readonly language: string;
  readonly media: MediaFiles;
  /** What the item itself says of the media it uses. */
  readonly uses: readonly MediaUse[];
  /** The level of the highest headings in texts. Default: 3, below a heading of the page. */
  readonly heading?: 2 | 3;
}

export function textsOf(scope: PageScope, { language, media, uses, heading = 3 }: TextsOf): Texts {
  const urls = new Map(uses.flatMap(({ url, key }) => (url === null ? [] : [[url, key] as const])));
  const links: ReaderLinks = {
    site: scope.shelf.site,
    page: (key) => pageOf(scope, key, language),
    medium: (key) => {
      const file = media.of(key);
      return file && { address: file.href, ...file };
    },
    tag: (tag) =>
      scope.catalogue.tagged(tag).length === 0 ? undefined : { address: hrefTo(scope, tagPath(tag)), title: tag },
    mediaKey: (address) => urls.get(address),
  };
  const budget = createTextBudget();
  return {
    line: (wiki) => {
      const { text, written } = budget.spend(wiki);
      return readerHtml(text, { links, inline: true, written });
    },
    page: (wiki, anchors = "") => {
      const { text, written } = budget.spend(wiki);
      return readerHtml(text, { links, anchors, heading, written });
    },
    html: (html) => {
      const { text, written } = budget.spend(html);
      return safeHtmlOf(text, { links, heading, written });
    },
  };
}

/** The page that a key names, in the reader's language where there is one. */
function pageOf(scope: PageScope, key: Key, language: string): { address: string; title: string } | undefined {
  const entry = inLanguage(scope, key, language);
  return entry && { address: hrefOf(scope, entry), title: entry.title };
}

/** The entry of a guide in a language, else in its own. */
export function inLanguage({ catalogue }: PageScope, key: Key, language: string): Entry | undefined {
  const translated = kindOf(key) === "guide" ? catalogue.entry(`${key}@${language}`) : undefined;
  return translated ?? catalogue.entry(key);
}
