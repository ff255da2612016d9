import type { Line } from "../../../src/core/model/guide.js";
import { type Breach, cure, lost, noted, refused } from "../change.js";
import type { FitContext } from "../context.js";
import type { Change, ElementRule, FitRow } from "../rule.js";
import { divide } from "../text/divide.js";
import { excerpt } from "../text/excerpt.js";
import { shorten } from "../text/shorten.js";
import { tokenize } from "../text/tokenize.js";
import type { LinePlace } from "./place.js";

const ROW = {
  code: "line-too-long",
  what: "Length of a line, as it will be sent",
  limit: "350 characters",
  refuse: "refused",
  split:
    "several lines with the same bullet and indentation, divided at a sentence or word; bold and the like are closed and opened again (note). Refused, when a single link or macro is too long",
  trim: "cut at a sentence or word, with `…` at the end (loss)",
  source: "api-facts 4.4",
} as const satisfies FitRow;

/** A line with more characters than the service takes, references counted as long as they may become. */
export const lineTooLong: ElementRule<Line, LinePlace> = {
  row: ROW,
  fit(line, { path }, context) {
    const length = context.measure(line.text).length;
    if (length <= context.limits.lineLength) return undefined;
    const breach = {
      code: ROW.code,
      path: `${path}.text`,
      message: `the line ${excerpt(line.text)} has ${length} characters as it would be sent, and may have ${context.limits.lineLength}`,
      remedy: "Shorten the line at the source, or make several of it.",
    };
    const bare = { ...line, text: line.text.trim() };
    const strip = () => ({ value: [bare], findings: [noted(breach, "the spaces at its ends were left out")] });
    if (fits(bare.text, context)) return cure(context.policy, [line], breach, { split: strip, trim: strip });
    return cure(context.policy, [line], breach, {
      split: () => split(line, breach, context),
      trim: () => trim(line, breach, context),
    });
  },
};

function split(line: Line, breach: Breach, context: FitContext): Change<readonly Line[]> {
  const { pieces, stuck } = divide(tokenize(line.text), (piece) => fits(piece, context));
  if (stuck !== "") {
    const why = `it can't be divided before the end of the link, macro or character that begins with ${excerpt(stuck)}`;
    return { value: [line], findings: [refused(breach, why, `${breach.remedy} Or choose --fit trim.`)] };
  }
  return {
    value: pieces.map((text) => ({ ...line, text })),
    findings: [noted(breach, `it is ${pieces.length} lines now`)],
  };
}

function trim(line: Line, breach: Breach, context: FitContext): Change<readonly Line[]> {
  const { text, cut } = shorten(line.text, tokenize(line.text), (piece) => fits(piece, context));
  return { value: [{ ...line, text }], findings: [lost(breach, `this was cut: ${excerpt(cut)}`)] };
}

function fits(piece: string, { limits, measure }: FitContext): boolean {
  return measure(piece).length <= limits.lineLength;
}
