import type { Wiki } from "../../src/core/model/wiki.js";
import type { FitRule } from "./rule.js";
import { pageTitleTooLong } from "./rules/page-title-too-long.js";
import { tagTooLong } from "./rules/tag-too-long.js";
import { wikiMedia } from "./rules/wiki-media.js";

/** What is asked of a wiki or category. */
export const WIKI_RULES = [wikiMedia, tagTooLong, pageTitleTooLong] as const satisfies readonly FitRule<Wiki>[];
