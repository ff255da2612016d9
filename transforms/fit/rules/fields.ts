import type { Guide, Part, Wiki } from "../../../src/core/model/item.js";
import type { FitContext } from "../context.js";
import {
  type Breach,
  type Change,
  cure,
  type ElementRule,
  type FitRow,
  type FitRule,
  firstOf,
  fitEach,
  leaveOut,
  lost,
  noted,
  type Path,
  refused,
  unchanged,
  withField,
} from "../rule.js";
import { BLOCK_CUTS, excerpt, nextPiece, restFrom, shorten, TEXT_CUTS } from "../shorten.js";
import { tokenize, tokenizePlain } from "../tokenize.js";

const DIFFICULTY_ROW = {
  code: "difficulty",
  what: "Difficulty of a guide",
  limit: "Very easy, Easy, Moderate, Difficult or Very difficult",
  refuse: "refused",
  split: "left out (loss)",
  trim: "left out (loss)",
  source: "api-facts 3.8",
} as const satisfies FitRow;

/** The service accepts English labels only. */
export const difficulty: FitRule<Guide> = {
  rows: [DIFFICULTY_ROW],
  fit(guide, { limits, policy }) {
    if (guide.difficulty === null || limits.difficulties.includes(guide.difficulty)) return unchanged(guide);
    const breach = {
      code: DIFFICULTY_ROW.code,
      path: "difficulty",
      message: `the difficulty is "${guide.difficulty}", and the service accepts ${limits.difficulties.join(", ")}`,
      remedy: "Set the difficulty on the target by hand.",
    };
    const leaveOut = () => ({ value: { ...guide, difficulty: null }, findings: [lost(breach, "it was left out")] });
    return cure(policy, guide, breach, leaveOut);
  },
};

const FLAGS_ROW = {
  code: "flag-not-settable",
  what: "Flags of a guide",
  limit: "the flags that the account may set, if the site gives a list",
  refuse: "left out, as with the other policies",
  split: "left out (loss; note for flags that a site sets itself)",
  trim: "left out (loss; note for flags that a site sets itself)",
  source: "api-facts 4.1, 4.8",
} as const satisfies FitRow;

/** Set by sites themselves (api-facts 4.8), so that their loss matters little. */
const SET_BY_SITES: ReadonlySet<string> = new Set(["GUIDE_USER_CONTRIBUTED", "GUIDE_NEW", "GUIDE_IN_PROGRESS"]);

/** One unknown flag makes the site refuse the whole guide. */
export const flags: FitRule<Guide> = {
  rows: [FLAGS_ROW],
  fit(guide, { limits }) {
    const change = fitEach(guide.flags, (flag, index) => {
      if (limits.flags?.includes(flag) ?? true) return undefined;
      const breach: Breach = {
        code: FLAGS_ROW.code,
        path: `flags[${index}]`,
        message: `the account may not set the flag ${flag} on the target`,
        remedy: "Use an account that may set it, or set it with such an account by hand.",
      };
      return { value: [], findings: [(SET_BY_SITES.has(flag) ? noted : lost)(breach, "it was left out")] };
    });
    return withField(guide, "flags", change);
  },
};

const GUIDE_TYPE_ROW = {
  code: "guide-type",
  what: "Type of a guide",
  limit: "the types of the site, if the site gives a list",
  refuse: "refused",
  split: "the site's first type (loss)",
  trim: "the site's first type (loss)",
  source: "api-facts 3.8",
} as const satisfies FitRow;

export const guideType: FitRule<Guide> = {
  rows: [GUIDE_TYPE_ROW],
  fit(guide, { limits: { guideTypes }, policy }) {
    if (guideTypes === null || guideTypes.includes(guide.type)) return unchanged(guide);
    const [first] = guideTypes;
    const breach = {
      code: GUIDE_TYPE_ROW.code,
      path: "type",
      message: `the guide is of the type "${guide.type}", and the site accepts ${guideTypes.join(", ") || "none"}`,
      remedy: `Map the type with --type-map ${JSON.stringify(`${guide.type}=${guideTypes[0] ?? "TYPE"}`)}, or let an administrator allow it in the settings of the site.`,
    };
    if (first === undefined) return { value: guide, findings: [refused(breach, "")] };
    const replace = () => ({
      value: { ...guide, type: first },
      findings: [lost(breach, `it gets the type "${first}"`)],
    });
    return cure(policy, guide, breach, replace);
  },
};

const SUBJECT_MISSING_ROW = {
  code: "subject-missing",
  what: "Subject of a guide",
  limit: "not empty, for types that require a subject on the site",
  refuse: "refused",
  split: "the guide's title (note)",
  trim: "the guide's title (note)",
  source: "api-facts 3.8",
} as const satisfies FitRow;

/** Some types require a subject at the target. */
export const subjectMissing: FitRule<Guide> = {
  rows: [SUBJECT_MISSING_ROW],
  fit(guide, { limits: { subjectTypes }, policy }) {
    if (guide.subject.trim() !== "" || !subjectTypes.includes(guide.type)) return unchanged(guide);
    const breach = {
      code: SUBJECT_MISSING_ROW.code,
      path: "subject",
      message: `the guide has no subject, and the site requires one for guides of the type "${guide.type}"`,
      remedy:
        "Give it a subject at the source, or let an administrator remove the prompt from the settings of the site.",
    };
    const fill = () => ({
      value: { ...guide, subject: guide.title },
      findings: [noted(breach, "its title becomes the subject")],
    });
    return cure(policy, guide, breach, fill);
  },
};

const PART_NAME_ROW = {
  code: "part-name",
  what: "Name of a part or tool",
  limit: "not empty",
  refuse: "refused",
  split: "left out (loss)",
  trim: "left out (loss)",
  source: "specification, POST /guides (`name` is required)",
} as const satisfies FitRow;

/** The site finds or creates the item page by the name. */
const partName: ElementRule<Part, Path> = {
  row: PART_NAME_ROW,
  fit(part, path, { policy }) {
    if (part.name.trim() !== "") return undefined;
    const breach = {
      code: PART_NAME_ROW.code,
      path: `${path}.name`,
      message: `the entry has no name (type ${excerpt(part.type)}, notes ${excerpt(part.notes)}, address ${excerpt(part.url ?? "")})`,
      remedy: "Name it at the source, or remove it.",
    };
    return leaveOut(policy, part, breach);
  },
};

const PART_QUANTITY_ROW = {
  code: "part-quantity",
  what: "Quantity of a part or tool",
  limit: "a positive whole number",
  refuse: "refused",
  split: "1, with the quantity at the beginning of the notes: `× 1.5` (note)",
  trim: "1 (loss)",
  source: "specification, Limits",
} as const satisfies FitRow;

/** Such as 0 or 1.5. An absent quantity is not sent. */
const partQuantity: ElementRule<Part, Path> = {
  row: PART_QUANTITY_ROW,
  fit(part, path, { policy }) {
    if (part.quantity === null || (Number.isSafeInteger(part.quantity) && part.quantity > 0)) return undefined;
    const breach = {
      code: PART_QUANTITY_ROW.code,
      path: `${path}.quantity`,
      message: `the quantity of "${part.name}" is ${part.quantity}, and the service accepts only positive whole numbers`,
      remedy: "Correct the quantity at the source.",
    };
    const written = `× ${part.quantity}`;
    const notes = part.notes === "" ? written : `${written}; ${part.notes}`;
    return cure<readonly Part[]>(policy, [part], breach, {
      split: () => ({
        value: [{ ...part, quantity: 1, notes }],
        findings: [noted(breach, `it becomes 1, and the notes begin with "${written}"`)],
      }),
      trim: () => ({ value: [{ ...part, quantity: 1 }], findings: [lost(breach, "it becomes 1")] }),
    });
  },
};

const PART_RULES: readonly ElementRule<Part, Path>[] = [partName, partQuantity];

export const parts: FitRule<Guide> = {
  rows: PART_RULES.map((rule) => rule.row),
  fit(guide, context) {
    const withParts = withField(guide, "parts", fitList(guide.parts, "parts", context));
    const withTools = withField(withParts.value, "tools", fitList(guide.tools, "tools", context));
    return { value: withTools.value, findings: [...withParts.findings, ...withTools.findings] };
  },
};

function fitList(list: readonly Part[], path: Path, context: FitContext): Change<readonly Part[]> {
  return fitEach(list, (part, index) => firstOf(PART_RULES, part, `${path}[${index}]`, context));
}

const SUMMARY_TOO_LONG_ROW = {
  code: "summary-too-long",
  what: "Length of a guide's summary",
  limit: "155 characters",
  refuse: "refused",
  split:
    "cut at a sentence or word with `…` at the end; the whole summary becomes the first paragraph of the introduction (note)",
  trim: "cut at a sentence or word with `…` at the end (loss)",
  source: "specification, Limits (`fewer than 156`)",
} as const satisfies FitRow;

/** Sites took 255 characters once. */
export const summaryTooLong: FitRule<Guide> = {
  rows: [SUMMARY_TOO_LONG_ROW],
  fit(guide, { limits, policy }) {
    if (guide.summary.length <= limits.summary) return unchanged(guide);
    const breach = {
      code: SUMMARY_TOO_LONG_ROW.code,
      path: "summary",
      message: `the summary has ${guide.summary.length} characters, and the limit is ${limits.summary}`,
      remedy: "Shorten the summary at the source.",
    };
    const bare = { ...guide, summary: guide.summary.trim() };
    const strip = () => ({ value: bare, findings: [noted(breach, "the spaces at both ends were left out")] });
    if (bare.summary.length <= limits.summary) return cure(policy, guide, breach, strip);
    const { text, cut } = shorten(guide.summary, tokenizePlain(guide.summary), (part) => part.length <= limits.summary);
    return cure(policy, guide, breach, {
      split: () => ({
        value: { ...guide, summary: text, introduction: withSummaryFirst(guide.summary, guide.introduction) },
        findings: [noted(breach, "it was cut, and the whole summary becomes the first paragraph of the introduction")],
      }),
      trim: () => ({
        value: { ...guide, summary: text },
        findings: [lost(breach, `this was cut: ${excerpt(cut)}`)],
      }),
    });
  },
};

/** An introduction often begins with the summary already. */
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

/** Nothing public limits the conclusion. */
export const introductionTooLong: FitRule<Guide> = {
  rows: [INTRODUCTION_TOO_LONG_ROW],
  fit(guide, { limits, measure, policy }) {
    const count = countLines(measure(guide.introduction, "page"));
    if (count <= limits.introductionLines) return unchanged(guide);
    const breach = {
      code: INTRODUCTION_TOO_LONG_ROW.code,
      path: "introduction",
      message: `the introduction has ${count} lines as it would be sent, and the limit is ${limits.introductionLines}`,
      remedy: "Shorten the introduction at the source.",
    };
    const { head, rest } = divideBlocks(
      guide.introduction,
      (part) => countLines(measure(part, "page")) <= limits.introductionLines,
    );
    const strip = () => ({
      value: { ...guide, introduction: head },
      findings: [noted(breach, "the blank lines at both ends were left out")],
    });
    if (rest === "") return cure(policy, guide, breach, strip);
    return cure(policy, guide, breach, {
      split: () => ({
        value: { ...guide, introduction: head, conclusion: withFirst(rest, guide.conclusion) },
        findings: [noted(breach, "the rest becomes the beginning of the conclusion")],
      }),
      trim: () => ({
        value: { ...guide, introduction: head },
        findings: [lost(breach, `this was cut: ${excerpt(rest)}`)],
      }),
    });
  },
};

/** An introduction of one long block of code can't be divided and moves as a whole. */
function divideBlocks(text: string, fits: (part: string) => boolean): { readonly head: string; readonly rest: string } {
  const tokens = tokenize(text);
  const head = nextPiece(tokens, 0, fits, BLOCK_CUTS);
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
  split: "cut at a word with `…` at the end (loss)",
  trim: "cut at a word with `…` at the end (loss)",
  source: "api-facts 8.4",
} as const satisfies FitRow;

export const pageTitleTooLong: FitRule<Wiki> = {
  rows: [PAGE_TITLE_TOO_LONG_ROW],
  fit(wiki, { limits, policy }) {
    const title = wiki.pageTitle;
    if (title === null || title.length <= limits.pageTitle) return unchanged(wiki);
    const breach = {
      code: PAGE_TITLE_TOO_LONG_ROW.code,
      path: "pageTitle",
      message: `the page title has ${title.length} characters, and the limit is ${limits.pageTitle}`,
      remedy: "Shorten the page title at the source.",
    };
    const cutIt = () => {
      const { text, cut } = shorten(title, tokenizePlain(title), (part) => part.length <= limits.pageTitle);
      return { value: { ...wiki, pageTitle: text }, findings: [lost(breach, `this was cut: ${excerpt(cut)}`)] };
    };
    return cure(policy, wiki, breach, cutIt);
  },
};

const TAG_TOO_LONG_ROW = {
  code: "tag-too-long",
  what: "Length of a tag",
  limit: "32 characters",
  refuse: "refused",
  split: "left out, because a shorter one would be another tag (loss)",
  trim: "cut at a word, or left out if that tag exists already (loss)",
  source: "api-facts 4.6",
} as const satisfies FitRow;

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
    message: `the tag "${tag}" has ${tag.length} characters, and the limit is ${limits.tagLength}`,
    remedy: "Give it a shorter name at the source.",
  };
  const short = nextPiece(tokenizePlain(tag), 0, (piece) => piece.length <= limits.tagLength, TEXT_CUTS)?.text ?? "";
  const leaveOut = () => ({ value: [], findings: [lost(breach, "it was left out")] });
  return cure<readonly string[]>(policy, [tag], breach, {
    split: leaveOut,
    trim: () =>
      short === "" || tags.includes(short)
        ? leaveOut()
        : { value: [short], findings: [lost(breach, `it was cut to "${short}"`)] },
  });
}
