import type { Guide, Line, Step } from "../../../src/core/model/item.js";
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
import { allowedLevels, divideStep, imagesOf, placeholder } from "../step-division.js";
import { tokenize } from "../tokenize.js";

const LINE_EMPTY_ROW = {
  code: "line-empty",
  what: "A line without text",
  limit: "at least 1 character",
  refuse: "refused",
  split: "left out (note); with deeper lines below it, `…` stands there (note)",
  trim: "left out (note); with deeper lines below it, `…` stands there (note)",
  source: "api-facts 4.4",
} as const satisfies FitRow;

/** A line that says nothing: it goes, unless other lines hang below it. */
const lineEmpty: ElementRule<Line, LinePlace> = {
  row: LINE_EMPTY_ROW,
  fit(line, { path, next }, { policy }) {
    if (line.text.trim() !== "") return undefined;
    const breach = {
      code: LINE_EMPTY_ROW.code,
      path: `${path}.text`,
      message: "the line has no text, and the service takes none without",
      remedy: "Write something into the line at the source, or remove it.",
    };
    const holdsOthers = next !== undefined && next.level > line.level;
    const replace = () =>
      holdsOthers
        ? {
            value: [{ ...line, text: ELLIPSIS }],
            findings: [noted(breach, `it holds deeper lines, so "${ELLIPSIS}" stands there now`)],
          }
        : { value: [], findings: [noted(breach, "it was left out")] };
    return cure(policy, [line], breach, { split: replace, trim: replace });
  },
};

const LINE_TOO_LONG_ROW = {
  code: "line-too-long",
  what: "Length of a line, as it will be sent",
  limit: "350 characters",
  refuse: "refused",
  split:
    "several lines with the same bullet and indentation, divided at a sentence or word; bold and the like are closed and opened again (note). Refused, when a single link or macro is too long",
  trim: "cut at a sentence or word, with `…` at the end (loss)",
  source: "api-facts 4.4",
} as const satisfies FitRow;

/**
 * A line with more characters than the service takes, references counted as long as they may
 * become.
 */
const lineTooLong: ElementRule<Line, LinePlace> = {
  row: LINE_TOO_LONG_ROW,
  fit(line, { path }, context) {
    const length = context.measure(line.text, "line").length;
    if (length <= context.limits.lineLength) return undefined;
    const breach = {
      code: LINE_TOO_LONG_ROW.code,
      path: `${path}.text`,
      message: `the line ${excerpt(line.text)} has ${length} characters as it would be sent, and may have ${context.limits.lineLength}`,
      remedy: "Shorten the line at the source, or make several of it.",
    };
    const bare = { ...line, text: line.text.trim() };
    const strip = () => ({ value: [bare], findings: [noted(breach, "the spaces at its ends were left out")] });
    if (fits(bare.text, context)) return cure(context.policy, [line], breach, { split: strip, trim: strip });
    return cure(context.policy, [line], breach, {
      split: () => split(line, breach, context),
      trim: () => trim(line, breach, context),
    });
  },
};

function split(line: Line, breach: Breach, context: FitContext): Change<readonly Line[]> {
  const { pieces, stuck } = divide(tokenize(line.text), (piece) => fits(piece, context));
  if (stuck !== "") {
    const why = `it can't be divided before the end of the link, macro or character that begins with ${excerpt(stuck)}`;
    return { value: [line], findings: [refused(breach, why, `${breach.remedy} Or choose --fit trim.`)] };
  }
  return {
    value: pieces.map((text) => ({ ...line, text })),
    findings: [noted(breach, `it is ${pieces.length} lines now`)],
  };
}

function trim(line: Line, breach: Breach, context: FitContext): Change<readonly Line[]> {
  const { text, cut } = shorten(line.text, tokenize(line.text), (piece) => fits(piece, context));
  return { value: [{ ...line, text }], findings: [lost(breach, `this was cut: ${excerpt(cut)}`)] };
}

function fits(piece: string, { limits, measure }: FitContext): boolean {
  return measure(piece, "line").length <= limits.lineLength;
}

/** What is asked of the text of each line. A line breaks one of them at most. */
const LINE_RULES: readonly ElementRule<Line, LinePlace>[] = [lineEmpty, lineTooLong];

/**
 * One pass over all lines, so that every finding names the place where the line stood at the
 * source.
 */
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
  limit: "0 to 2; the first line of a step has 0, each next one is at most one deeper",
  refuse: "refused",
  split: "the nearest indentation that is allowed (note)",
  trim: "the nearest indentation that is allowed (note)",
  source: "api-facts 4.4",
} as const satisfies FitRow;

/** Indentation that the service would refuse as "Invalid line indentation". */
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
    message: `the lines of the step are indented ${levels(step.lines)}, which the service doesn't take`,
    remedy:
      "Indent the lines at the source so that the first has none and each next one is at most one deeper, two in all.",
  };
  const settle = () => ({
    value: [{ ...step, lines }],
    findings: [noted(breach, `they are indented ${levels(lines)} now`)],
  });
  return cure(context.policy, [step], breach, { split: settle, trim: settle });
}

const STEP_WITHOUT_LINES_ROW = {
  code: "step-without-lines",
  what: "A step without lines",
  limit: "at least 1 line",
  refuse: "refused",
  split: "one line with the step's title, or `…` when it has none (note)",
  trim: "one line with the step's title, or `…` when it has none (note)",
  source: "api-facts 4.4",
} as const satisfies FitRow;

/** A step that shows pictures only: the service wants a line with text in each. */
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
    message: "the step has no line with text, and the service takes none without",
    remedy: "Write a line into the step at the source.",
  };
  const text = isUsable(step.title, context) ? step.title : ELLIPSIS;
  const fill = () => ({
    value: [{ ...step, lines: [placeholder(text)] }],
    findings: [noted(breach, `it has the line "${text}" now`)],
  });
  return cure(context.policy, [step], breach, { split: fill, trim: fill });
}

function isUsable(title: string, { limits, measure }: FitContext): boolean {
  return title.trim() !== "" && measure(title, "line").length <= limits.lineLength;
}

const TOO_MANY_LINES_ROW = {
  code: "step-too-many-lines",
  what: "Lines of a step",
  limit: "8",
  refuse: "refused",
  split: "the rest goes into steps of its own behind it, `Title (2)` and so on, `step/456+2` for guideferry (note)",
  trim: "the first 8 (loss for each line that is left out)",
  source: "api-facts 4.4",
} as const satisfies FitRow;

/** A step with more lines than the service takes. */
const tooManyLines: CrowdRule = {
  row: TOO_MANY_LINES_ROW,
  breachOf(step, path, { linesPerStep }) {
    if (step.lines.length <= linesPerStep) return undefined;
    return {
      code: TOO_MANY_LINES_ROW.code,
      path: `${path}.lines`,
      message: `the step has ${step.lines.length} lines, and may have ${linesPerStep}`,
      remedy: "Make two steps of it at the source.",
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
  split: "the rest goes to the steps behind it that take its lines, or to new ones with the line `…` (note)",
  trim: "the first 3 (loss for each image that is left out)",
  source: "api-facts 4.5",
} as const satisfies FitRow;

/** A step with more images than the service takes. */
const tooManyImages: CrowdRule = {
  row: TOO_MANY_IMAGES_ROW,
  breachOf(step, path, { imagesPerStep }) {
    const count = imagesOf(step).length;
    if (count <= imagesPerStep) return undefined;
    return {
      code: TOO_MANY_IMAGES_ROW.code,
      path: `${path}.media`,
      message: `the step has ${count} images, and may have ${imagesPerStep}`,
      remedy: "Make two steps of it at the source.",
    };
  },
  trim(step, breach, { imagesPerStep }) {
    const images = imagesOf(step);
    const findings = images.slice(imagesPerStep).map((image) => lost(breach, `${image} was left out`));
    return { value: { ...step, media: { type: "images", images: images.slice(0, imagesPerStep) } }, findings };
  },
};

/** A rule that a step breaks. */
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

/**
 * A limit on how much stands in one step; whatever it is, `split` moves the rest into steps behind
 * it.
 */
interface CrowdRule {
  readonly row: FitRow;
  /** undefined: the step keeps the limit. */
  readonly breachOf: (step: Step, path: string, limits: SiteLimits) => Breach | undefined;
  /** The step with what fits. */
  readonly trim: (step: Step, breach: Breach, limits: SiteLimits) => Change<Step>;
}
