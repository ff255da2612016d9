import type { Guide } from "../../../src/core/model/guide.js";
import { cure, noted, unchanged } from "../change.js";
import type { FitRow, FitRule } from "../rule.js";

const ROW = {
  code: "subject-missing",
  what: "Subject of a guide",
  limit: "not empty, for the types that the site asks a subject for",
  refuse: "refused",
  split: "the guide's title (note)",
  trim: "the guide's title (note)",
  source: "api-facts 3.8",
} as const satisfies FitRow;

/** A guide without a subject, of a type that has a subject prompt at the target. */
export const subjectMissing: FitRule<Guide> = {
  rows: [ROW],
  fit(guide, { limits: { subjectTypes }, policy }) {
    if (guide.subject.trim() !== "" || !subjectTypes.includes(guide.type)) return unchanged(guide);
    const breach = {
      code: ROW.code,
      path: "subject",
      message: `the guide has no subject, and the site asks one for guides of the type "${guide.type}"`,
      remedy: "Give it a subject at the source, or let an administrator take the prompt out of the site's settings.",
    };
    const fill = () => ({
      value: { ...guide, subject: guide.title },
      findings: [noted(breach, "its title stands there now")],
    });
    return cure(policy, guide, breach, { split: fill, trim: fill });
  },
};
