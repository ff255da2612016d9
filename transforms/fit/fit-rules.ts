import { GUIDE_RULES } from "./guide-rules.js";
import { MEDIA_RULES } from "./media-rules.js";
import type { FitRow } from "./rule.js";
import { WIKI_RULES } from "./wiki-rules.js";

const ROWS: readonly FitRow[] = [...GUIDE_RULES, ...WIKI_RULES, ...Object.values(MEDIA_RULES).flat()].flatMap(
  (rule) => rule.rows,
);

/** The one table of rules and policies, each code once: README and `--help` show it. */
export const FIT_RULES: readonly FitRow[] = [...new Map(ROWS.map((row) => [row.code, row])).values()];
