import { text } from "../wiki/build-inlines.js";
import { print } from "../wiki/print.js";
import type { Inline, TextIssue } from "../wiki/tree.js";
import { bracketAddresses, bracketAllAddresses, bracketCutAddresses } from "./bracket-addresses.js";
import { guardLabels, guardTexts } from "./guard-texts.js";
import { joinNeighbours } from "./join-neighbours.js";

/** A way to write inlines that do not read as they are meant. */
export interface Repair {
  readonly apply: (inlines: readonly Inline[]) => readonly Inline[];
  /** undefined: nothing was changed. */
  readonly issue: Pick<TextIssue, "code" | "level" | "message"> | undefined;
}

/** Told where guards were put into a text. */
export const NEUTRALISED = {
  code: "markup-neutralised",
  level: "note",
  message: "Text that would have become markup is kept from it by spaces without width, or by wide brackets.",
} as const;

const MARKS_DROPPED = {
  code: "marks-dropped",
  level: "loss",
  message: "The marks of this text cannot be written one beside the other; the text is kept without them.",
} as const;

const MARKUP_AS_TEXT = {
  code: "markup-as-text",
  level: "loss",
  message: "The markup of this text cannot be written where it stands; it is kept as text.",
} as const;

/** From the least to the most change; the first that reads as it is meant is taken. */
export const REPAIRS: readonly Repair[] = [
  { apply: (inlines) => inlines, issue: undefined },
  { apply: withShortBreaks, issue: undefined },
  { apply: onOneLine, issue: undefined },
  { apply: bracketAddresses, issue: undefined },
  { apply: (inlines) => guardTexts(bracketCutAddresses(inlines)), issue: NEUTRALISED },
  { apply: (inlines) => guardTexts(bracketAddresses(onOneLine(inlines))), issue: NEUTRALISED },
  { apply: (inlines) => guardLabels(bracketAllAddresses(onOneLine(inlines))), issue: NEUTRALISED },
  { apply: (inlines) => guardTexts(bracketAddresses(withoutMarks(onOneLine(inlines)))), issue: MARKS_DROPPED },
  { apply: (inlines) => guardTexts(bracketAddresses(withoutMedia(onOneLine(inlines)))), issue: MARKUP_AS_TEXT },
  { apply: (inlines) => guardTexts(bracketCutAddresses(onOneLine([sourceOf(inlines)]))), issue: MARKUP_AS_TEXT },
];

/** Forced breaks without a line end behind them, which they do not need, and behind which a block could begin. */
function withShortBreaks(inlines: readonly Inline[]): readonly Inline[] {
  return inlines.map((inline): Inline => {
    if (inline.type === "break") return { ...inline, after: "" };
    return "children" in inline ? { ...inline, children: withShortBreaks(inline.children) } : inline;
  });
}

/** Without any line end: in running text one is a blank. */
function onOneLine(inlines: readonly Inline[]): readonly Inline[] {
  return withShortBreaks(inlines).map((inline): Inline => {
    if (inline.type === "text") return text(inline.value.replaceAll(/[ \t]*\n[ \t\n]*/g, " "));
    return "children" in inline ? { ...inline, children: onOneLine(inline.children) } : inline;
  });
}

function withoutMarks(inlines: readonly Inline[]): readonly Inline[] {
  return inlines.flatMap((inline): readonly Inline[] => {
    if (inline.type === "link") return [{ ...inline, children: withoutMarks(inline.children) }];
    return "children" in inline ? withoutMarks(inline.children) : [inline];
  });
}

/** Media as the text of their macros: in step lines and in labels there are none. */
function withoutMedia(inlines: readonly Inline[]): readonly Inline[] {
  return joinNeighbours(
    inlines.map((inline): Inline => {
      if ("children" in inline) return { ...inline, children: withoutMedia(inline.children) };
      return MEDIA.has(inline.type) ? sourceOf([inline]) : inline;
    }),
  );
}

const MEDIA: ReadonlySet<Inline["type"]> = new Set(["image", "video", "guideList"]);

function sourceOf(inlines: readonly Inline[]): Inline {
  return text(inlines.map(print).join(""));
}
