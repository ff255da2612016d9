import type { Guide, Line, Step, StepMedia } from "../../../src/core/model/item.js";
import type { Key } from "../../../src/core/model/key.js";
import type { FitContext, FitPolicy } from "../context.js";
import type { SiteLimits } from "../limits.js";
import {
  type Breach,
  type Change,
  cure,
  type ElementRule,
  type Finding,
  type FitRow,
  type FitRule,
  firstOf,
  fitEach,
  type LinePlace,
  lost,
  noted,
  refused,
  refusedByPolicy,
  withField,
} from "../rule.js";
import { divide, ELLIPSIS, excerpt, shorten } from "../shorten.js";
import { tokenize } from "../tokenize.js";

const LINE_EMPTY_ROW = {
  code: "line-empty",
  what: "A line without text",
  limit: "at least 1 character",
  refuse: "refused",
  split: "left out (note); if deeper lines follow, it becomes `…` (note)",
  trim: "left out (note); if deeper lines follow, it becomes `…` (note)",
  source: "api-facts 4.4",
} as const satisfies FitRow;

/** Stays if lines are indented below it. */
const lineEmpty: ElementRule<Line, LinePlace> = {
  row: LINE_EMPTY_ROW,
  fit(line, { path, next }, { policy }) {
    if (line.text.trim() !== "") return undefined;
    const breach = {
      code: LINE_EMPTY_ROW.code,
      path: `${path}.text`,
      message: "the line has no text, and the service requires text",
      remedy: "Write a text into the line at the source, or remove the line.",
    };
    const holdsOthers = next !== undefined && next.level > line.level;
    const replace = () =>
      holdsOthers
        ? {
            value: [{ ...line, text: ELLIPSIS }],
            findings: [noted(breach, `deeper lines follow, so it becomes "${ELLIPSIS}"`)],
          }
        : { value: [], findings: [noted(breach, "it was left out")] };
    return cure(policy, [line], breach, replace);
  },
};

const LINE_TOO_LONG_ROW = {
  code: "line-too-long",
  what: "Length of a line, as it will be sent",
  limit: "350 characters",
  refuse: "refused",
  split:
    "several lines with the same bullet and indentation, divided at a sentence or word; marks such as bold are closed and opened again (note). Refused if a single link or macro is too long",
  trim: "cut at a sentence or word, with `…` at the end (loss)",
  source: "api-facts 4.4",
} as const satisfies FitRow;

/** References count with their longest form. */
const lineTooLong: ElementRule<Line, LinePlace> = {
  row: LINE_TOO_LONG_ROW,
  fit(line, { path }, context) {
    const length = context.measure(line.text, "line").length;
    if (length <= context.limits.lineLength) return undefined;
    const breach = {
      code: LINE_TOO_LONG_ROW.code,
      path: `${path}.text`,
      message: `the line ${excerpt(line.text)} has ${length} characters as it would be sent, and the limit is ${context.limits.lineLength}`,
      remedy: "Shorten the line at the source, or divide it.",
    };
    const bare = { ...line, text: line.text.trim() };
    const strip = () => ({ value: [bare], findings: [noted(breach, "the spaces at both ends were left out")] });
    if (fits(bare.text, context)) return cure(context.policy, [line], breach, strip);
    return cure(context.policy, [line], breach, {
      split: () => split(line, breach, context),
      trim: () => trim(line, breach, context),
    });
  },
};

function split(line: Line, breach: Breach, context: FitContext): Change<readonly Line[]> {
  const { pieces, stuck } = divide(tokenize(line.text), (piece) => fits(piece, context));
  if (stuck !== "") {
    const why = `it cannot be divided before the end of the link, macro or character that begins with ${excerpt(stuck)}`;
    return { value: [line], findings: [refused(breach, why, `${breach.remedy} Or give --fit trim.`)] };
  }
  return {
    value: pieces.map((text) => ({ ...line, text })),
    findings: [noted(breach, `it is ${pieces.length} lines`)],
  };
}

function trim(line: Line, breach: Breach, context: FitContext): Change<readonly Line[]> {
  const { text, cut } = shorten(line.text, tokenize(line.text), (piece) => fits(piece, context));
  return { value: [{ ...line, text }], findings: [lost(breach, `this was cut: ${excerpt(cut)}`)] };
}

function fits(piece: string, { limits, measure }: FitContext): boolean {
  return measure(piece, "line").length <= limits.lineLength;
}

const LINE_RULES: readonly ElementRule<Line, LinePlace>[] = [lineEmpty, lineTooLong];

/** One pass, so that findings name the place at the source. */
export const stepLines: FitRule<Guide> = {
  rows: LINE_RULES.map((rule) => rule.row),
  fit(guide, context) {
    const steps = fitEach(guide.steps, (step, index) => {
      const lines = fitEach(step.lines, (line, at) => {
        const place = { path: `steps[${index}].lines[${at}]`, next: step.lines[at + 1] };
        return firstOf(LINE_RULES, line, place, context);
      });
      const { value, findings } = withField(step, "lines", lines);
      return { value: [value], findings };
    });
    return withField(guide, "steps", steps);
  },
};

const LINE_LEVELS_ROW = {
  code: "line-level",
  what: "Indentation of a line",
  limit: "0 to 2; the first line of a step has 0, and each next line is at most one level deeper",
  refuse: "refused",
  split: "the nearest indentation that is allowed (note)",
  trim: "the nearest indentation that is allowed (note)",
  source: "api-facts 4.4",
} as const satisfies FitRow;

/** The service refuses it as "Invalid line indentation". */
export const lineLevels: FitRule<Guide> = {
  rows: [LINE_LEVELS_ROW],
  fit(guide, context) {
    return withField(
      guide,
      "steps",
      fitEach(guide.steps, (step, index) => fitLevels(step, index, context)),
    );
  },
};

function fitLevels(step: Step, index: number, context: FitContext): Change<readonly Step[]> | undefined {
  const lines = allowedLevels(step.lines, context.limits.maximumLevel);
  if (lines === step.lines) return undefined;
  const levels = (of: readonly Line[]) => of.map((line) => line.level).join(", ");
  const breach = {
    code: LINE_LEVELS_ROW.code,
    path: `steps[${index}].lines`,
    message: `the lines of the step are indented ${levels(step.lines)}, which the service does not accept`,
    remedy:
      "Correct the indentation at the source: the first line has none, each next line is at most one level deeper, and two levels are the maximum.",
  };
  const withValidLevels = () => ({
    value: [{ ...step, lines }],
    findings: [noted(breach, `they are indented ${levels(lines)} now`)],
  });
  return cure(context.policy, [step], breach, withValidLevels);
}

const STEP_WITHOUT_LINES_ROW = {
  code: "step-without-lines",
  what: "A step without lines",
  limit: "at least 1 line",
  refuse: "refused",
  split: "one line with the title of the step, or `…` if it has none (note)",
  trim: "one line with the title of the step, or `…` if it has none (note)",
  source: "api-facts 4.4",
} as const satisfies FitRow;

/** The service requires a line with text in each step. */
export const stepWithoutLines: FitRule<Guide> = {
  rows: [STEP_WITHOUT_LINES_ROW],
  fit(guide, context) {
    return withField(
      guide,
      "steps",
      fitEach(guide.steps, (step, index) => withLine(step, index, context)),
    );
  },
};

function withLine(step: Step, index: number, context: FitContext): Change<readonly Step[]> | undefined {
  if (step.lines.length > 0) return undefined;
  const breach = {
    code: STEP_WITHOUT_LINES_ROW.code,
    path: `steps[${index}].lines`,
    message: "the step has no line with text, and the service requires one",
    remedy: "Write a line into the step at the source.",
  };
  const text = isUsable(step.title, context) ? step.title : ELLIPSIS;
  const fill = () => ({
    value: [{ ...step, lines: [placeholder(text)] }],
    findings: [noted(breach, `it has the line "${text}" now`)],
  });
  return cure(context.policy, [step], breach, fill);
}

function isUsable(title: string, { limits, measure }: FitContext): boolean {
  return title.trim() !== "" && measure(title, "line").length <= limits.lineLength;
}

const TOO_MANY_LINES_ROW = {
  code: "step-too-many-lines",
  what: "Lines of a step",
  limit: "8",
  refuse: "refused",
  split: "the rest moves to new steps after it: `Title (2)` and so on, with keys such as `step/456+2` (note)",
  trim: "the first 8 (loss for each line that is left out)",
  source: "api-facts 4.4",
} as const satisfies FitRow;

const tooManyLines: CrowdRule = {
  row: TOO_MANY_LINES_ROW,
  breachOf(step, path, { linesPerStep }) {
    if (step.lines.length <= linesPerStep) return undefined;
    return {
      code: TOO_MANY_LINES_ROW.code,
      path: `${path}.lines`,
      message: `the step has ${step.lines.length} lines, and the limit is ${linesPerStep}`,
      remedy: "Divide the step at the source.",
    };
  },
  trim(step, breach, { linesPerStep }) {
    const findings = step.lines
      .slice(linesPerStep)
      .map((line) => lost(breach, `this one was left out: ${excerpt(line.text)}`));
    return { value: { ...step, lines: step.lines.slice(0, linesPerStep) }, findings };
  },
};

const TOO_MANY_IMAGES_ROW = {
  code: "step-too-many-images",
  what: "Images of a step",
  limit: "3",
  refuse: "refused",
  split: "the rest moves to the steps that get its lines, or to new steps with the line `…` (note)",
  trim: "the first 3 (loss for each image that is left out)",
  source: "api-facts 4.5",
} as const satisfies FitRow;

const tooManyImages: CrowdRule = {
  row: TOO_MANY_IMAGES_ROW,
  breachOf(step, path, { imagesPerStep }) {
    const count = imagesOf(step).length;
    if (count <= imagesPerStep) return undefined;
    return {
      code: TOO_MANY_IMAGES_ROW.code,
      path: `${path}.media`,
      message: `the step has ${count} images, and the limit is ${imagesPerStep}`,
      remedy: "Divide the step at the source.",
    };
  },
  trim(step, breach, { imagesPerStep }) {
    const images = imagesOf(step);
    const findings = images.slice(imagesPerStep).map((image) => lost(breach, `${image} was left out`));
    return { value: { ...step, media: { type: "images", images: images.slice(0, imagesPerStep) } }, findings };
  },
};

interface Broken {
  readonly rule: CrowdRule;
  readonly breach: Breach;
}

const CROWD_RULES: readonly CrowdRule[] = [tooManyLines, tooManyImages];

/** One pass for lines and images, since both move to the same steps. */
export const crowdedSteps: FitRule<Guide> = {
  rows: CROWD_RULES.map((rule) => rule.row),
  fit(guide, context) {
    const taken = new Set(guide.steps.map((step) => step.key));
    return withField(
      guide,
      "steps",
      fitEach(guide.steps, (step, index) => uncrowd(step, index, context, taken)),
    );
  },
};

function uncrowd(
  step: Step,
  index: number,
  context: FitContext,
  taken: ReadonlySet<Key>,
): Change<readonly Step[]> | undefined {
  const broken = CROWD_RULES.flatMap((rule): readonly Broken[] => {
    const breach = rule.breachOf(step, `steps[${index}]`, context.limits);
    return breach === undefined ? [] : [{ rule, breach }];
  });
  return broken.length === 0 ? undefined : CURES[context.policy](step, broken, context.limits, taken);
}

type Cure = (
  step: Step,
  broken: readonly Broken[],
  limits: SiteLimits,
  taken: ReadonlySet<Key>,
) => Change<readonly Step[]>;

const CURES: Readonly<Record<FitPolicy, Cure>> = {
  refuse: (step, broken) => ({ value: [step], findings: broken.map(({ breach }) => refusedByPolicy(breach)) }),
  split(step, broken, limits, taken) {
    const steps = divideStep(step, limits, taken);
    const done = `it continues in ${steps
      .slice(1)
      .map((part) => part.key)
      .join(", ")}`;
    return { value: steps, findings: broken.map(({ breach }) => noted(breach, done)) };
  },
  trim(step, broken, limits) {
    const findings: Finding[] = [];
    let value = step;
    for (const { rule, breach } of broken) {
      const change = rule.trim(value, breach, limits);
      value = change.value;
      findings.push(...change.findings);
    }
    return { value: [value], findings };
  },
};

/** `split` moves the rest into new steps after it. */
interface CrowdRule {
  readonly row: FitRow;
  /** undefined: the step keeps the limit. */
  readonly breachOf: (step: Step, path: string, limits: SiteLimits) => Breach | undefined;
  readonly trim: (step: Step, breach: Breach, limits: SiteLimits) => Change<Step>;
}

/**
 * The first part keeps key, title, comments and other media; the others are `step/456+2`,
 * `step/456+3` with the title `Title (2)`, `Title (3)`.
 */
function divideStep(step: Step, limits: SiteLimits, taken: ReadonlySet<Key>): readonly Step[] {
  const lines = chunkLines(step.lines, limits.linesPerStep);
  const images = chunk(imagesOf(step), limits.imagesPerStep);
  const further = continuationKeys(step.key, Math.max(lines.length, images.length) - 1, taken);
  return [step.key, ...further].map((key, index) => ({
    key,
    title: index === 0 || step.title.trim() === "" ? step.title : `${step.title} (${index + 1})`,
    lines: allowedLevels(lines[index] ?? [placeholder(ELLIPSIS)], limits.maximumLevel),
    media: mediaOf(images[index]) ?? (index === 0 ? step.media : { type: "none" }),
    comments: index === 0 ? step.comments : [],
  }));
}

export function imagesOf(step: Step): readonly Key[] {
  return step.media.type === "images" ? step.media.images : [];
}

/** Full steps, or shorter ones that end before a line without indentation. */
function chunkLines(lines: readonly Line[], size: number): readonly (readonly Line[])[] {
  const chunks: (readonly Line[])[] = [];
  for (let from = 0; from < lines.length; ) {
    const window = lines.slice(from + Math.ceil(size / 2), from + size + 1);
    const outer = window.findLastIndex((line) => line.level === 0);
    const fits = lines.length - from <= size;
    const length = fits || outer < 0 ? size : Math.ceil(size / 2) + outer;
    chunks.push(lines.slice(from, from + length));
    from += length;
  }
  return chunks;
}

function chunk<T>(list: readonly T[], size: number): readonly (readonly T[])[] {
  const chunks: (readonly T[])[] = [];
  for (let from = 0; from < list.length; from += size) chunks.push(list.slice(from, from + size));
  return chunks;
}

function mediaOf(images: readonly Key[] | undefined): StepMedia | undefined {
  return images === undefined ? undefined : { type: "images", images };
}

/** Skips keys of a guide that was divided before. */
function continuationKeys(key: Key, count: number, taken: ReadonlySet<Key>): readonly Key[] {
  const keys: Key[] = [];
  for (let number = 2; keys.length < count; number += 1) {
    const candidate: Key = `${key}+${number}`;
    if (!taken.has(candidate)) keys.push(candidate);
  }
  return keys;
}

/** The same array: no change. Leading indented lines move out together: 1 1 2 0 to 0 0 1 0. */
function allowedLevels(lines: readonly Line[], maximum: number): readonly Line[] {
  const outer = lines.findIndex((line) => line.level <= 0);
  const leading = outer < 0 ? lines.length : outer;
  const shift = Math.min(...lines.slice(0, leading).map((line) => line.level));
  let deepest = 0;
  const adjusted = lines.map((line, index) => {
    const wanted = index < leading ? line.level - shift : line.level;
    const level = Math.max(0, Math.min(wanted, deepest, maximum));
    deepest = level + 1;
    return level === line.level ? line : { ...line, level };
  });
  return adjusted.every((line, index) => line === lines[index]) ? lines : adjusted;
}

function placeholder(text: string): Line {
  return { text, bullet: "black", bulletStyle: null, level: 0 };
}
