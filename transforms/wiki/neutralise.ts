import type { TextIssue } from "../../src/core/model/text-codes.js";

/** The place that a text is written to, and what is written next to it. */
interface TextSurroundings {
  readonly place: TextPlace;
  /** Default: nothing, the text begins its place. A line end is the same as nothing. */
  readonly before?: string;
  /** Default: nothing, the text ends its place. */
  readonly after?: string;
}

/**
 * Breaks up plain text that the site would read as markup at its place. The syntax has no escape,
 * so a change can be invisible but not undone (advice of wiki-syntax 8, point 6); each gives an
 * issue with the place in `text`. Addresses stay, since the site makes equal links of them. A
 * marker inside of one is broken up, which changes the link target; `normalise` puts such an
 * address in brackets first.
 */
export function neutralise(
  text: string,
  { place, before = "", after = "" }: TextSurroundings,
): { readonly text: string; readonly issues: readonly TextIssue[] } {
  const edits = editsOf(text, place, before.slice(-1).replace("\n", ""), after.slice(0, 1));
  let written = "";
  let at = 0;
  for (const { start, end, replacement } of edits) {
    written += text.slice(at, start) + replacement;
    at = end;
  }
  return { text: written + text.slice(at), issues: edits.map(issueOf) };
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  readonly unsafe: Unsafe;
}

/** Includes one character on either side, where a mark may begin; edits are inside of the text. */
function editsOf(text: string, place: TextPlace, before: string, after: string): readonly Edit[] {
  const all = UNSAFE.filter(({ places }) => places.includes(place))
    .flatMap((unsafe) =>
      [...(before + text + after).matchAll(unsafe.pattern)].map((match) => editOf(match, unsafe, before)),
    )
    .filter((edit): edit is Edit => edit !== undefined && edit.end <= text.length)
    .sort((one, other) => one.start - other.start);
  const edits: Edit[] = [];
  for (const edit of all) if (edit.start >= (edits.at(-1)?.end ?? 0)) edits.push(edit);
  return edits;
}

/**
 * Breaks up at the start of the text what begins in the character before it, which is not known to
 * begin a line.
 */
function editOf({ index, 0: matched }: RegExpExecArray, unsafe: Unsafe, before: string): Edit | undefined {
  const start = index - before.length;
  if (start >= 0) return { start, end: start + matched.length, replacement: unsafe.written(matched), unsafe };
  return matched === "" ? undefined : { start: 0, end: 0, replacement: GUARD, unsafe };
}

function issueOf({ start, end, unsafe: { level, means } }: Edit): TextIssue {
  const message = `Plain text would be read as ${means}. It was ${level === "loss" ? "replaced" : "divided"}.`;
  return { code: "neutralised", level, message, start, end };
}

export type TextPlace = "paragraph" | "heading" | "item" | "label" | "line" | "code";

/** A pattern of plain text that is markup at some place, and its replacement. */
interface Unsafe {
  readonly pattern: RegExp;
  readonly places: readonly TextPlace[];
  readonly written: (matched: string) => string;
  /** `loss`: a character changes. `note`: an invisible one is added, or a blank changes. */
  readonly level: "note" | "loss";
  /** What the text would mean as markup. */
  readonly means: string;
}

/** A zero-width space that breaks up markup: the syntax has no escape (wiki-syntax 8, point 6). */
export const GUARD = "\u200B";

const TEXT: readonly TextPlace[] = ["paragraph", "heading", "item", "label", "line"];
const OUTSIDE_LABELS: readonly TextPlace[] = ["paragraph", "heading", "item", "line"];

/** In the order of trial. A bare address is absent: its link means the same. */
const UNSAFE: readonly Unsafe[] = [
  { pattern: /(['+~^,`])(?=\1)/g, places: TEXT, written: guardBehind, level: "note", means: "a mark" },
  { pattern: /\[(?=\[)/g, places: OUTSIDE_LABELS, written: guardBehind, level: "note", means: "a link to a page" },
  {
    // Includes line ends before the pipe: they become a blank, which makes a macro.
    pattern: /\[(?=[^|[\] \t\r\n]+[ \t\r\n]*\|)/g,
    places: OUTSIDE_LABELS,
    written: guardBehind,
    level: "note",
    means: "a macro",
  },
  {
    pattern: /\[(?=(?:[a-z][a-z\d+.-]*:\/\/|mailto:|tel:))/gi,
    places: OUTSIDE_LABELS,
    written: guardBehind,
    level: "note",
    means: "a link",
  },
  {
    pattern: /\[(?=(?:br|\/?(?:code|quote|summary))\])/gi,
    places: OUTSIDE_LABELS,
    written: guardBehind,
    level: "note",
    means: "a tag",
  },
  { pattern: /\[(?=\/code\])/gi, places: ["code"], written: guardBehind, level: "note", means: "the end of the code" },
  { pattern: /(?<![^\n])(?=[*#])/g, places: ["paragraph"], written: () => GUARD, level: "note", means: "a list" },
  { pattern: /(?<![^\n])(?==)/g, places: ["paragraph"], written: () => GUARD, level: "note", means: "a heading" },
  { pattern: /\[/g, places: ["label"], written: () => "(", level: "loss", means: "a macro in a label" },
  { pattern: /\]/g, places: ["label"], written: () => ")", level: "loss", means: "the end of the label" },
  { pattern: /\|/g, places: ["label"], written: () => "¦", level: "loss", means: "the end of the label" },
  {
    pattern: /^(?=\s*(?:new_window|stepid|size|align|format|tags|type)\s*=)/gi,
    places: ["label"],
    written: () => GUARD,
    level: "note",
    means: "a parameter",
  },
  { pattern: /\r?\n[ \t\r\n]*/g, places: TEXT, written: () => " ", level: "note", means: "the end of a line" },
];

function guardBehind(matched: string): string {
  return matched + GUARD;
}
