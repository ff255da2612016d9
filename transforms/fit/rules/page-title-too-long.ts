import type { Wiki } from "../../../src/core/model/wiki.js";
import { cure, lost, unchanged } from "../change.js";
import type { FitRow, FitRule } from "../rule.js";
import { excerpt } from "../text/excerpt.js";
import { shorten } from "../text/shorten.js";
import { tokenizePlain } from "../text/tokenize.js";

const ROW = {
  code: "page-title-too-long",
  what: "Length of a wiki's page title",
  limit: "255 characters",
  refuse: "refused",
  split: "cut at a word with `…` at the end (loss: there is no other place for it)",
  trim: "cut at a word with `…` at the end (loss)",
  source: "api-facts 8.4",
} as const satisfies FitRow;

/** The title that search engines are given for a wiki page. */
export const pageTitleTooLong: FitRule<Wiki> = {
  rows: [ROW],
  fit(wiki, { limits, policy }) {
    const title = wiki.pageTitle;
    if (title === null || title.length <= limits.pageTitle) return unchanged(wiki);
    const breach = {
      code: ROW.code,
      path: "pageTitle",
      message: `the page title has ${title.length} characters, and may have ${limits.pageTitle}`,
      remedy: "Shorten the page title at the source.",
    };
    const cutIt = () => {
      const { text, cut } = shorten(title, tokenizePlain(title), (part) => part.length <= limits.pageTitle);
      return { value: { ...wiki, pageTitle: text }, findings: [lost(breach, `this was cut: ${excerpt(cut)}`)] };
    };
    return cure(policy, wiki, breach, { split: cutIt, trim: cutIt });
  },
};
