import type { Guide } from "../../../src/core/model/guide.js";
import { cure, lost, unchanged } from "../change.js";
import type { FitRow, FitRule } from "../rule.js";

const ROW = {
  code: "difficulty",
  what: "Difficulty of a guide",
  limit: "Very easy, Easy, Moderate, Difficult or Very difficult",
  refuse: "refused",
  split: "left out (loss)",
  trim: "left out (loss)",
  source: "api-facts 3.8",
} as const satisfies FitRow;

/** A label that only another language or another site knows: sites are written to in English. */
export const difficulty: FitRule<Guide> = {
  rows: [ROW],
  fit(guide, { limits, policy }) {
    if (guide.difficulty === null || limits.difficulties.includes(guide.difficulty)) return unchanged(guide);
    const breach = {
      code: ROW.code,
      path: "difficulty",
      message: `the difficulty is "${guide.difficulty}", and the service takes ${limits.difficulties.join(", ")}`,
      remedy: "Set the difficulty at the target by hand.",
    };
    const leaveOut = () => ({ value: { ...guide, difficulty: null }, findings: [lost(breach, "it was left out")] });
    return cure(policy, guide, breach, { split: leaveOut, trim: leaveOut });
  },
};
