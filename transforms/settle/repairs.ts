import { link, text } from "../wiki/build-inlines.js";
import { print } from "../wiki/print.js";
import type { Inline, Link, TextIssue } from "../wiki/tree.js";
import { guardLabels, guardTexts } from "./guard-texts.js";

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
  { apply: bracketed, issue: undefined },
  { apply: guardTexts, issue: NEUTRALISED },
  { apply: (inlines) => guardTexts(bracketed(onOneLine(inlines))), issue: NEUTRALISED },
  { apply: (inlines) => guardLabels(bracketed(onOneLine(inlines))), issue: NEUTRALISED },
  { apply: (inlines) => guardTexts(withoutMarks(onOneLine(inlines))), issue: MARKS_DROPPED },
  { apply: (inlines) => guardTexts(onOneLine([text(inlines.map(print).join(""))])), issue: MARKUP_AS_TEXT },
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

/** Addresses that would run on into what follows, between brackets. */
function bracketed(inlines: readonly Inline[]): readonly Inline[] {
  return inlines.flatMap((inline, at): readonly Inline[] => {
    if (inline.type === "text") return at < inlines.length - 1 ? withAddressAtEnd(inline.value) : [inline];
    if (inline.type === "link") return [inline.kind === "bare" ? addressLink(inline.target) : inline];
    return ["children" in inline ? { ...inline, children: bracketed(inline.children) } : inline];
  });
}

function withAddressAtEnd(value: string): readonly Inline[] {
  const start = value.search(/https?:\/\/[^\s|[\]<>"]+$/i);
  return start < 0 ? [text(value)] : [text(value.slice(0, start)), addressLink(value.slice(start))];
}

function addressLink(address: string): Link {
  return link("url", address, { label: [text(address)] });
}

function withoutMarks(inlines: readonly Inline[]): readonly Inline[] {
  return bracketed(inlines).flatMap((inline): readonly Inline[] => {
    if (inline.type === "link") return [{ ...inline, children: withoutMarks(inline.children) }];
    return "children" in inline ? withoutMarks(inline.children) : [inline];
  });
}
