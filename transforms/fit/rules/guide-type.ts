import type { Guide } from "../../../src/core/model/guide.js";
import { cure, lost, refused, unchanged } from "../change.js";
import type { FitRow, FitRule } from "../rule.js";

const ROW = {
  code: "guide-type",
  what: "Type of a guide",
  limit: "the types that the site is set to, where it tells them",
  refuse: "refused",
  split: "the site's first type (loss)",
  trim: "the site's first type (loss)",
  source: "api-facts 3.8",
} as const satisfies FitRow;

/** A type that the target is not set to: each site chooses its own. */
export const guideType: FitRule<Guide> = {
  rows: [ROW],
  fit(guide, { limits: { guideTypes }, policy }) {
    if (guideTypes === null || guideTypes.includes(guide.type)) return unchanged(guide);
    const [first] = guideTypes;
    const breach = {
      code: ROW.code,
      path: "type",
      message: `the guide is of the type "${guide.type}", and the site takes ${guideTypes.join(", ") || "none"}`,
      remedy: `Say with --type-map ${JSON.stringify(`${guide.type}=${guideTypes[0] ?? "TYPE"}`)} what it is there, or let an administrator allow the type in the site's settings.`,
    };
    if (first === undefined) return { value: guide, findings: [refused(breach, "")] };
    const replace = () => ({
      value: { ...guide, type: first },
      findings: [lost(breach, `it is of the type "${first}" now`)],
    });
    return cure(policy, guide, breach, { split: replace, trim: replace });
  },
};
