import type { Guide, Wiki } from "../../../src/core/model/item.js";
import type { FitContext } from "../context.js";
import { type Change, cure, type FitRow, type FitRule, fitEach, lost, noted, unchanged, withField } from "../rule.js";
import { BLOCK_WISHES, excerpt, nextPiece, restFrom, shorten, TEXT_WISHES } from "../shorten.js";
import { tokenize, tokenizePlain } from "../tokenize.js";

const SUMMARY_TOO_LONG_ROW = {
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
  rows: [SUMMARY_TOO_LONG_ROW],
  fit(guide, { limits, policy }) {
    if (guide.summary.length <= limits.summary) return unchanged(guide);
    const breach = {
      code: SUMMARY_TOO_LONG_ROW.code,
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
        value: { ...guide, summary: text, introduction: withSummaryFirst(guide.summary, guide.introduction) },
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
function withSummaryFirst(summary: string, introduction: string): string {
  if (introduction.startsWith(summary.trim())) return introduction;
  return introduction === "" ? summary : `${summary}\n\n${introduction}`;
}

const INTRODUCTION_TOO_LONG_ROW = {
  code: "introduction-too-long",
  what: "Lines of a guide's introduction, as it will be sent",
  limit: "49",
  refuse: "refused",
  split: "divided at a paragraph, list item or line; the rest becomes the beginning of the conclusion (note)",
  trim: "cut at a paragraph, list item or line (loss)",
  source: "specification, Limits (`fewer than 50 lines`)",
} as const satisfies FitRow;

/** An introduction with more lines than the service takes. Nothing public limits the conclusion. */
export const introductionTooLong: FitRule<Guide> = {
  rows: [INTRODUCTION_TOO_LONG_ROW],
  fit(guide, { limits, measure, policy }) {
    const count = countLines(measure(guide.introduction, "page"));
    if (count <= limits.introductionLines) return unchanged(guide);
    const breach = {
      code: INTRODUCTION_TOO_LONG_ROW.code,
      path: "introduction",
      message: `the introduction has ${count} lines as it would be sent, and may have ${limits.introductionLines}`,
      remedy: "Shorten the introduction at the source.",
    };
    const { head, rest } = divideBlocks(
      guide.introduction,
      (part) => countLines(measure(part, "page")) <= limits.introductionLines,
    );
    const strip = () => ({
      value: { ...guide, introduction: head },
      findings: [noted(breach, "the blank lines at its ends were left out")],
    });
    if (rest === "") return cure(policy, guide, breach, { split: strip, trim: strip });
    return cure(policy, guide, breach, {
      split: () => ({
        value: { ...guide, introduction: head, conclusion: withFirst(rest, guide.conclusion) },
        findings: [noted(breach, "what is too much stands at the beginning of the conclusion now")],
      }),
      trim: () => ({
        value: { ...guide, introduction: head },
        findings: [lost(breach, `this was cut: ${excerpt(rest)}`)],
      }),
    });
  },
};

/** An introduction that can't be divided (one long block of code) goes as a whole. */
function divideBlocks(text: string, fits: (part: string) => boolean): { readonly head: string; readonly rest: string } {
  const tokens = tokenize(text);
  const head = nextPiece(tokens, 0, fits, BLOCK_WISHES);
  return { head: head?.text ?? "", rest: restFrom(tokens, head?.next ?? 0) };
}

function withFirst(first: string, text: string): string {
  return text === "" ? first : `${first}\n\n${text}`;
}

function countLines(text: string): number {
  return text.split(/\r\n|\r|\n/).length;
}

const PAGE_TITLE_TOO_LONG_ROW = {
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
  rows: [PAGE_TITLE_TOO_LONG_ROW],
  fit(wiki, { limits, policy }) {
    const title = wiki.pageTitle;
    if (title === null || title.length <= limits.pageTitle) return unchanged(wiki);
    const breach = {
      code: PAGE_TITLE_TOO_LONG_ROW.code,
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

const TAG_TOO_LONG_ROW = {
  code: "tag-too-long",
  what: "Length of a tag",
  limit: "32 characters",
  refuse: "refused",
  split: "left out, since a shorter one would be another tag (loss)",
  trim: "cut at a word; left out when there is such a tag already (loss)",
  source: "api-facts 4.6",
} as const satisfies FitRow;

/** Tags of guides and wikis. */
export const tagTooLong = {
  rows: [TAG_TOO_LONG_ROW],
  fit<T extends { readonly tags: readonly string[] }>(value: T, context: FitContext): Change<T> {
    const tags = fitEach(value.tags, (tag, index) => fitTag(tag, index, value.tags, context));
    return withField(value, "tags", {
      ...tags,
      value: tags.value === value.tags ? tags.value : [...new Set(tags.value)],
    });
  },
};

function fitTag(
  tag: string,
  index: number,
  tags: readonly string[],
  { limits, policy }: FitContext,
): Change<readonly string[]> | undefined {
  if (tag.length <= limits.tagLength) return undefined;
  const breach = {
    code: TAG_TOO_LONG_ROW.code,
    path: `tags[${index}]`,
    message: `the tag "${tag}" has ${tag.length} characters, and may have ${limits.tagLength}`,
    remedy: "Give it a shorter name at the source.",
  };
  const short = nextPiece(tokenizePlain(tag), 0, (piece) => piece.length <= limits.tagLength, TEXT_WISHES)?.text ?? "";
  const leaveOut = () => ({ value: [], findings: [lost(breach, "it was left out")] });
  return cure<readonly string[]>(policy, [tag], breach, {
    split: leaveOut,
    trim: () =>
      short === "" || tags.includes(short)
        ? leaveOut()
        : { value: [short], findings: [lost(breach, `it was cut to "${short}"`)] },
  });
}
