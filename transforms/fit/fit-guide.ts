import type { Guide } from "../../src/core/model/guide.js";
import type { GuideItem } from "../../src/core/model/item.js";
import { applyRules } from "./apply-rules.js";
import type { FitContext } from "./context.js";
import { GUIDE_RULES } from "./guide-rules.js";
import { type FitOutcome, outcomeOf } from "./outcome.js";

/**
 * A guide that the site takes, made of any guide, or refused. Fitting what was fitted changes nothing.
 * The list of media that the item needs stays as it was, also when a step lost an image.
 */
export function fitGuide(item: GuideItem, context: FitContext): FitOutcome<GuideItem> {
  return outcomeOf(item, applyRules<Guide>(GUIDE_RULES, item.body, context));
}
