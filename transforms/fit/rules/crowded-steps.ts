import type { Guide, Step } from "../../../src/core/model/guide.js";
import type { Key } from "../../../src/core/model/key.js";
import { type Breach, fitEach, noted, refusedByPolicy, withField } from "../change.js";
import type { FitContext, FitPolicy } from "../context.js";
import type { SiteLimits } from "../limits.js";
import type { Change, Finding, FitRule } from "../rule.js";
import { divideStep } from "../step-division.js";
import type { CrowdRule } from "./crowd-rule.js";
import { tooManyImages } from "./too-many-images.js";
import { tooManyLines } from "./too-many-lines.js";

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
      fitEach(guide.steps, (step, index) => fitStep(step, index, context, taken)),
    );
  },
};

function fitStep(
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
