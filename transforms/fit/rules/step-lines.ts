import type { Guide, Line } from "../../../src/core/model/guide.js";
import { firstOf, fitEach, withField } from "../change.js";
import type { ElementRule, FitRule } from "../rule.js";
import { lineEmpty } from "./line-empty.js";
import { lineTooLong } from "./line-too-long.js";
import type { LinePlace } from "./place.js";

/** What is asked of the text of each line. A line breaks one of them at most. */
const LINE_RULES: readonly ElementRule<Line, LinePlace>[] = [lineEmpty, lineTooLong];

/** One pass over all lines, so that every finding names the place where the line stood at the source. */
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
