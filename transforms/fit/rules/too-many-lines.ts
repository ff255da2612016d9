import { lost } from "../change.js";
import type { FitRow } from "../rule.js";
import { excerpt } from "../text/excerpt.js";
import type { CrowdRule } from "./crowd-rule.js";

const ROW = {
  code: "step-too-many-lines",
  what: "Lines of a step",
  limit: "8",
  refuse: "refused",
  split: "the rest goes into steps of its own behind it, `Title (2)` and so on, `step/456+2` for guideferry (note)",
  trim: "the first 8 (loss for each line that is left out)",
  source: "api-facts 4.4",
} as const satisfies FitRow;

/** A step with more lines than the service takes. */
export const tooManyLines: CrowdRule = {
  row: ROW,
  breachOf(step, path, { linesPerStep }) {
    if (step.lines.length <= linesPerStep) return undefined;
    return {
      code: ROW.code,
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
