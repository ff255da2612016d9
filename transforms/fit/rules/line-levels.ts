import type { Guide, Line, Step } from "../../../src/core/model/guide.js";
import { cure, fitEach, noted, withField } from "../change.js";
import type { FitContext } from "../context.js";
import type { Change, FitRow, FitRule } from "../rule.js";
import { settleLevels } from "../settle-levels.js";

const ROW = {
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
  const lines = settleLevels(step.lines, context.limits.maximumLevel);
  if (lines === step.lines) return undefined;
  const levels = (of: readonly Line[]) => of.map((line) => line.level).join(", ");
  const breach = {
    code: ROW.code,
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
