import type { Line } from "../../../src/core/model/guide.js";
import { cure, noted } from "../change.js";
import type { ElementRule, FitRow } from "../rule.js";
import { ELLIPSIS } from "../text/shorten.js";
import type { LinePlace } from "./place.js";

const ROW = {
  code: "line-empty",
  what: "A line without text",
  limit: "at least 1 character",
  refuse: "refused",
  split: "left out (note); with deeper lines below it, `…` stands there (note)",
  trim: "left out (note); with deeper lines below it, `…` stands there (note)",
  source: "api-facts 4.4",
} as const satisfies FitRow;

/** A line that says nothing: it goes, unless other lines hang below it. */
export const lineEmpty: ElementRule<Line, LinePlace> = {
  row: ROW,
  fit(line, { path, next }, { policy }) {
    if (line.text.trim() !== "") return undefined;
    const breach = {
      code: ROW.code,
      path: `${path}.text`,
      message: "the line has no text, and the service takes none without",
      remedy: "Write something into the line at the source, or remove it.",
    };
    const holdsOthers = next !== undefined && next.level > line.level;
    const replace = () =>
      holdsOthers
        ? {
            value: [{ ...line, text: ELLIPSIS }],
            findings: [noted(breach, `it holds deeper lines, so "${ELLIPSIS}" stands there now`)],
          }
        : { value: [], findings: [noted(breach, "it was left out")] };
    return cure(policy, [line], breach, { split: replace, trim: replace });
  },
};
