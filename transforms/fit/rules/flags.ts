import type { Guide } from "../../../src/core/model/guide.js";
import { type Breach, fitEach, lost, noted, withField } from "../change.js";
import type { FitRow, FitRule } from "../rule.js";

const ROW = {
  code: "flag-not-settable",
  what: "Flags of a guide",
  limit: "those that the account may set, where the site tells them",
  refuse: "never refuses: left out, as under the other policies",
  split: "left out (loss; a note for those that a site sets by itself)",
  trim: "left out (loss; a note for those that a site sets by itself)",
  source: "api-facts 4.1, 4.8",
} as const satisfies FitRow;

/** Flags that a site puts on guides by itself, so that nobody misses them (api-facts 4.8). */
const SET_BY_SITES: ReadonlySet<string> = new Set(["GUIDE_USER_CONTRIBUTED", "GUIDE_NEW", "GUIDE_IN_PROGRESS"]);

/** One flag too many and the site refuses the whole guide; a flag is a remark, and no reason to leave a guide behind. */
export const flags: FitRule<Guide> = {
  rows: [ROW],
  fit(guide, { limits }) {
    const change = fitEach(guide.flags, (flag, index) => {
      if (limits.flags?.includes(flag) ?? true) return undefined;
      const breach: Breach = {
        code: ROW.code,
        path: `flags[${index}]`,
        message: `the account may not set the flag ${flag} at the target`,
        remedy: "Use an account that may set it, or let somebody set it who may.",
      };
      return { value: [], findings: [(SET_BY_SITES.has(flag) ? noted : lost)(breach, "it was left out")] };
    });
    return withField(guide, "flags", change);
  },
};
