import { safeHtmlOf } from "../../../../transforms/html/reader/foreign-html.js";
import { readerHtml } from "../../../../transforms/html/reader/reader-html.js";
import type { ReaderLinks } from "../../../../transforms/html/reader/reader-links.js";
import type { SafeHtml } from "../../../../transforms/html/reader/safe-html.js";
import type { MediaUse, Wiki } from "../../../core/model/item.js";
import { type Key, kindOf } from "../../../core/model/key.js";
import type { Entry } from "../catalogue.js";
import { tagPath } from "../page-path.js";
import type { MediaFiles } from "./media-files.js";
import { hrefOf, hrefTo, type PageScope } from "./scope.js";

/** Makes the texts of one page into HTML, within what a page may cost (see `createTextBudget`). */
export interface Texts {
  /** A line of a step. */
  line(wiki: string): SafeHtml;
  /**
   * Paragraphs. `anchors` keeps the names of headings apart where several texts stand on a page.
   */
  page(wiki: string, anchors?: string): SafeHtml;
  /** What the site made of a text. */
  html(html: string): SafeHtml;
}

interface TextsOf {
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

/** How a text stands on a page. */
interface SpentText {
  /** The text, or its beginning. */
  readonly text: string;
  /** Whether it stands as it is written, since the page has formatted enough. */
  readonly written: boolean;
}

/**
 * What the texts of one page may cost together: a server makes its pages one after the other, so a
 * page that takes long keeps everybody waiting.
 */
interface TextBudget {
  spend(text: string): SpentText;
}

/**
 * Units that are formatted: one for each UTF-16 unit and a hundred for each mark that opens
 * something, which takes that much longer: two seconds at worst.
 */
const MOST_FORMATTED = 1_000_000;
const MARKS = /[[<]/g;
const MARK = 100;

/** UTF-16 units of all texts. */
const MOST_SHOWN = 5_000_000;
const CUT = "… (too long for a page; the archive has all of it)";

/**
 * A budget for a page: what goes beyond it is shown as it is written, and of what goes far beyond
 * it the beginning.
 */
export function createTextBudget(): TextBudget {
  let formatted = 0;
  let shown = 0;
  return {
    spend: (text) => {
      const left = MOST_SHOWN - shown;
      shown += text.length;
      if (text.length > left) return { text: text.slice(0, Math.max(0, left)) + CUT, written: true };
      const cost = text.length + MARK * (text.match(MARKS)?.length ?? 0);
      if (formatted + cost > MOST_FORMATTED) return { text, written: true };
      formatted += cost;
      return { text, written: false };
    },
  };
}

/** Whether what the site made of a page's contents is shown, not what people typed. */
export function isShownAsHtml({ contents, html }: Pick<Wiki, "contents" | "html">): boolean {
  const hasTable = html.includes("<table") && !contents.includes("<table");
  return contents.trim() === "" || hasTable;
}

/** Sites say `jp` for Japanese (api-facts 9). */
const OF_SITES: Readonly<Record<string, string>> = { jp: "ja" };

/** The language tag of a site's language; undefined where it is none that a browser would know. */
export function languageTag(language: string): string | undefined {
  const tag = OF_SITES[language.toLowerCase()] ?? language;
  return /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(tag) ? tag : undefined;
}

/** Languages that are written from right to left, unless a script says otherwise. */
const FROM_THE_RIGHT =
  /^(?:ar|arc|ckb|dv|fa|glk|he|iw|ks|lrc|mzn|nqo|pnb|ps|sd|syr|ug|ur|yi)\b(?!-latn|-cyrl)|-(?:arab|hebr|thaa|nkoo|syrc)\b/i;

export interface LanguageAttributes {
  readonly lang: string | undefined;
  readonly dir: "rtl" | undefined;
}

/** What an element says of the language of what is in it. */
export function languageAttributes(language: string): LanguageAttributes {
  const lang = languageTag(language);
  return { lang, dir: lang !== undefined && FROM_THE_RIGHT.test(lang) ? "rtl" : undefined };
}

/**
 * A language by the name that its speakers give it: `Deutsch`; as the site says it where nobody
 * knows it.
 */
export function languageName(language: string): string {
  const tag = languageTag(language);
  return tag === undefined ? language : (new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? language);
}
