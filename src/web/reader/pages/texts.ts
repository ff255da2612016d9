import { safeHtmlOf } from "../../../../transforms/html/reader/html-content.js";
import { readerHtml } from "../../../../transforms/html/reader/reader-html.js";
import type { ReaderLinks } from "../../../../transforms/html/reader/reader-links.js";
import type { SafeHtml } from "../../../../transforms/html/reader/safe-html.js";
import type { MediaUse, Wiki } from "../../../core/model/item.js";
import { type Key, kindOf } from "../../../core/model/key.js";
import type { Entry } from "../catalogue.js";
import { tagPath } from "../page-path.js";
import type { MediaFiles } from "./media-files.js";
import { hrefOf, hrefTo, type PageScope } from "./scope.js";

/** Renders the texts of one page within its budget (see `createTextBudget`). */
export interface Texts {
  line(wiki: string): SafeHtml;
  /** `anchors`: a prefix that keeps the names of headings apart. */
  page(wiki: string, anchors?: string): SafeHtml;
  /** HTML from the site. */
  html(html: string): SafeHtml;
}

interface TextsOf {
  readonly language: string;
  readonly media: MediaFiles;
  readonly uses: readonly MediaUse[];
  /** The level of the highest headings in texts. Default: 3. */
  readonly heading?: 2 | 3;
}

export function textsOf(scope: PageScope, { language, media, uses, heading = 3 }: TextsOf): Texts {
  const urls = new Map(uses.flatMap(({ url, key }) => (url === null ? [] : [[url, key] as const])));
  const links: ReaderLinks = {
    site: scope.snapshot.site,
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

function pageOf(scope: PageScope, key: Key, language: string): { address: string; title: string } | undefined {
  const entry = inLanguage(scope, key, language);
  return entry && { address: hrefOf(scope, entry), title: entry.title };
}

/** The guide in a language, else in its own. */
export function inLanguage({ catalogue }: PageScope, key: Key, language: string): Entry | undefined {
  const translated = kindOf(key) === "guide" ? catalogue.entry(`${key}@${language}`) : undefined;
  return translated ?? catalogue.entry(key);
}

interface SpentText {
  readonly text: string;
  /** Shown as source text, since the budget for formatting is spent. */
  readonly written: boolean;
}

/** Limits the cost of a page: the server renders one page after the other. */
interface TextBudget {
  spend(text: string): SpentText;
}

/**
 * One unit for each UTF-16 unit and 100 for each mark that opens something: two seconds at worst.
 */
const MOST_FORMATTED = 1_000_000;
const MARKS = /[[<]/g;
const MARK = 100;

/** UTF-16 units of all texts. */
const MOST_SHOWN = 5_000_000;
const CUT = "… (shortened: the text is too long for a page, and the archive has all of it)";

/** Texts beyond the first limit are shown as source text; beyond the second they are cut. */
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

/** Whether the site's HTML is shown and not the source text: wiki syntax has no tables. */
export function isShownAsHtml({ contents, html }: Pick<Wiki, "contents" | "html">): boolean {
  const hasTable = html.includes("<table") && !contents.includes("<table");
  return contents.trim() === "" || hasTable;
}

/** Sites say `jp` for Japanese (api-facts 9). */
const OF_SITES: Readonly<Record<string, string>> = { jp: "ja" };

/** undefined: no tag that a browser knows. */
export function languageTag(language: string): string | undefined {
  const tag = OF_SITES[language.toLowerCase()] ?? language;
  return /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(tag) ? tag : undefined;
}

/** Languages written from right to left, unless a script says otherwise. */
const FROM_THE_RIGHT =
  /^(?:ar|arc|ckb|dv|fa|glk|he|iw|ks|lrc|mzn|nqo|pnb|ps|sd|syr|ug|ur|yi)\b(?!-latn|-cyrl)|-(?:arab|hebr|thaa|nkoo|syrc)\b/i;

export interface LanguageAttributes {
  readonly lang: string | undefined;
  readonly dir: "rtl" | undefined;
}

export function languageAttributes(language: string): LanguageAttributes {
  const lang = languageTag(language);
  return { lang, dir: lang !== undefined && FROM_THE_RIGHT.test(lang) ? "rtl" : undefined };
}

/** The language's own name, `Deutsch`; an unknown one as the site names it. */
export function languageName(language: string): string {
  const tag = languageTag(language);
  return tag === undefined ? language : (new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? language);
}
