import type { Guide, Step } from "../../../src/core/model/guide.js";
import { cure, fitEach, noted, withField } from "../change.js";
import type { FitContext } from "../context.js";
import { placeholder } from "../placeholder.js";
import type { Change, FitRow, FitRule } from "../rule.js";
import { ELLIPSIS } from "../text/shorten.js";

const ROW = {
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
  rows: [ROW],
  fit(guide, context) {
    return withField(
      guide,
      "steps",
      fitEach(guide.steps, (step, index) => fitStep(step, index, context)),
    );
  },
};

function fitStep(step: Step, index: number, context: FitContext): Change<readonly Step[]> | undefined {
  if (step.lines.length > 0) return undefined;
  const breach = {
    code: ROW.code,
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
  return title.trim() !== "" && measure(title).length <= limits.lineLength;
}
