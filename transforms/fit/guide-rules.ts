import type { Guide } from "../../src/core/model/guide.js";
import type { FitRule } from "./rule.js";
import { crowdedSteps } from "./rules/crowded-steps.js";
import { difficulty } from "./rules/difficulty.js";
import { flags } from "./rules/flags.js";
import { guideMedia } from "./rules/guide-media.js";
import { guideType } from "./rules/guide-type.js";
import { introductionTooLong } from "./rules/introduction-too-long.js";
import { lineLevels } from "./rules/line-levels.js";
import { parts } from "./rules/parts.js";
import { stepLines } from "./rules/step-lines.js";
import { stepMedia } from "./rules/step-media.js";
import { stepWithoutLines } from "./rules/step-without-lines.js";
import { subjectMissing } from "./rules/subject-missing.js";
import { summaryTooLong } from "./rules/summary-too-long.js";
import { tagTooLong } from "./rules/tag-too-long.js";

/**
 * What is asked of a guide. The order matters in two places: the summary may lengthen the introduction; and levels, lines
 * and images of steps are settled before steps are filled or divided, so that paths name steps by their place at the source.
 */
export const GUIDE_RULES = [
  summaryTooLong,
  introductionTooLong,
  lineLevels,
  stepLines,
  stepWithoutLines,
  stepMedia,
  crowdedSteps,
  guideMedia,
  parts,
  tagTooLong,
  guideType,
  subjectMissing,
  difficulty,
  flags,
] as const satisfies readonly FitRule<Guide>[];
