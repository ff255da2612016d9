import type { WikiItem } from "../../src/core/model/item.js";
import type { Wiki } from "../../src/core/model/wiki.js";
import { applyRules } from "./apply-rules.js";
import type { FitContext } from "./context.js";
import { type FitOutcome, outcomeOf } from "./outcome.js";
import { WIKI_RULES } from "./wiki-rules.js";

/** A wiki or category that the site takes, or refused. Its text has no public limit and is left alone. */
export function fitWiki(item: WikiItem, context: FitContext): FitOutcome<WikiItem> {
  return outcomeOf(item, applyRules<Wiki>(WIKI_RULES, item.body, context));
}
