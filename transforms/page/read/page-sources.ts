import type { PageFormat } from "../../convert/formats.js";
import { siteOf } from "../../convert/origin.js";
import { htmlSource } from "./html-source.js";
import { markdownSource } from "./markdown-source.js";
import type { PageSource } from "./page-source.js";
import { wikiSource } from "./wiki-source.js";

/** Takes a page apart, by its format. `origin`: the site that it belongs to, as for texts. */
export const PAGE_SOURCES: Readonly<Record<PageFormat, (text: string, origin: string | undefined) => PageSource>> = {
  markdown: markdownSource,
  html: (text, origin) => htmlSource(text, siteOf(origin)),
  wiki: wikiSource,
};
