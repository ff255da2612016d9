import type { Guide } from "../../../src/core/model/guide.js";
import { cure, lost, noted, unchanged } from "../change.js";
import type { FitRow, FitRule } from "../rule.js";
import { excerpt } from "../text/excerpt.js";
import { nextPiece, restFrom } from "../text/next-piece.js";
import { tokenize } from "../text/tokenize.js";
import { BLOCK_WISHES } from "../text/wishes.js";

const ROW = {
  code: "introduction-too-long",
  what: "Lines of a guide's introduction, as it will be sent",
  limit: "49",
  refuse: "refused",
  split: "divided at a paragraph, list item or line; the rest becomes the beginning of the conclusion (note)",
  trim: "cut at a paragraph, list item or line (loss)",
  source: "specification, Limits (`fewer than 50 lines`)",
} as const satisfies FitRow;

/** An introduction with more lines than the service takes. Nothing public limits the conclusion. */
export const introductionTooLong: FitRule<Guide> = {
  rows: [ROW],
  fit(guide, { limits, measure, policy }) {
    const count = countLines(measure(guide.introduction));
    if (count <= limits.introductionLines) return unchanged(guide);
    const breach = {
      code: ROW.code,
      path: "introduction",
      message: `the introduction has ${count} lines as it would be sent, and may have ${limits.introductionLines}`,
      remedy: "Shorten the introduction at the source.",
    };
    const { head, rest } = divideBlocks(
      guide.introduction,
      (part) => countLines(measure(part)) <= limits.introductionLines,
    );
    const strip = () => ({
      value: { ...guide, introduction: head },
      findings: [noted(breach, "the blank lines at its ends were left out")],
    });
    if (rest === "") return cure(policy, guide, breach, { split: strip, trim: strip });
    return cure(policy, guide, breach, {
      split: () => ({
        value: { ...guide, introduction: head, conclusion: withFirst(rest, guide.conclusion) },
        findings: [noted(breach, "what is too much stands at the beginning of the conclusion now")],
      }),
      trim: () => ({
        value: { ...guide, introduction: head },
        findings: [lost(breach, `this was cut: ${excerpt(rest)}`)],
      }),
    });
  },
};

/** An introduction that can't be divided (one long block of code) goes as a whole. */
function divideBlocks(text: string, fits: (part: string) => boolean): { readonly head: string; readonly rest: string } {
  const tokens = tokenize(text);
  const head = nextPiece(tokens, 0, fits, BLOCK_WISHES);
  return { head: head?.text ?? "", rest: restFrom(tokens, head?.next ?? 0) };
}

function withFirst(first: string, text: string): string {
  return text === "" ? first : `${first}\n\n${text}`;
}

function countLines(text: string): number {
  return text.split(/\r\n|\r|\n/).length;
}
