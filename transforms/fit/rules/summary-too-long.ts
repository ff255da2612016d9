import type { Guide } from "../../../src/core/model/guide.js";
import { cure, lost, noted, unchanged } from "../change.js";
import type { FitRow, FitRule } from "../rule.js";
import { excerpt } from "../text/excerpt.js";
import { shorten } from "../text/shorten.js";
import { tokenizePlain } from "../text/tokenize.js";

const ROW = {
  code: "summary-too-long",
  what: "Length of a guide's summary",
  limit: "155 characters",
  refuse: "refused",
  split:
    "cut at a sentence or word with `…` at the end; the whole of it becomes the first paragraph of the introduction (note)",
  trim: "cut at a sentence or word with `…` at the end (loss)",
  source: "specification, Limits (`fewer than 156`)",
} as const satisfies FitRow;

/** A summary from the days when sites took 255 characters. */
export const summaryTooLong: FitRule<Guide> = {
  rows: [ROW],
  fit(guide, { limits, policy }) {
    if (guide.summary.length <= limits.summary) return unchanged(guide);
    const breach = {
      code: ROW.code,
      path: "summary",
      message: `the summary has ${guide.summary.length} characters, and may have ${limits.summary}`,
      remedy: "Shorten the summary at the source.",
    };
    const bare = { ...guide, summary: guide.summary.trim() };
    const strip = () => ({ value: bare, findings: [noted(breach, "the spaces at its ends were left out")] });
    if (bare.summary.length <= limits.summary) return cure(policy, guide, breach, { split: strip, trim: strip });
    const { text, cut } = shorten(guide.summary, tokenizePlain(guide.summary), (part) => part.length <= limits.summary);
    return cure(policy, guide, breach, {
      split: () => ({
        value: { ...guide, summary: text, introduction: withFirst(guide.summary, guide.introduction) },
        findings: [noted(breach, "it was cut, and the whole of it is the first paragraph of the introduction now")],
      }),
      trim: () => ({
        value: { ...guide, summary: text },
        findings: [lost(breach, `this was cut: ${excerpt(cut)}`)],
      }),
    });
  },
};

/** Writers often begin the introduction with the summary; it need not stand there twice. */
function withFirst(summary: string, introduction: string): string {
  if (introduction.startsWith(summary.trim())) return introduction;
  return introduction === "" ? summary : `${summary}\n\n${introduction}`;
}
