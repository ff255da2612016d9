/** Where a text is going to stand. */
export type TextPlace = "paragraph" | "heading" | "item" | "label" | "line" | "code";

/** A pattern of plain text that is markup where it stands, and what breaks it up. */
export interface Unsafe {
  readonly pattern: RegExp;
  readonly places: readonly TextPlace[];
  /** What is written in the place of what the pattern matches. */
  readonly written: (matched: string) => string;
  /** `loss`: a character is another one. `note`: an invisible one was added, or a blank is another blank. */
  readonly level: "note" | "loss";
  /** What the text would have been. */
  readonly means: string;
}

/** The syntax has no escape (wiki-syntax 8, point 6): a space without width breaks up what would be markup. */
export const GUARD = "\u200B";

const TEXT: readonly TextPlace[] = ["paragraph", "heading", "item", "label", "line"];
const OUTSIDE_LABELS: readonly TextPlace[] = ["paragraph", "heading", "item", "line"];

/** In the order in which they are tried at each place of a text. A bare address is not among them: its link says what it says. */
export const UNSAFE: readonly Unsafe[] = [
  { pattern: /(['+~^,`])(?=\1)/g, places: TEXT, written: guardBehind, level: "note", means: "a mark" },
  { pattern: /\[(?=\[)/g, places: OUTSIDE_LABELS, written: guardBehind, level: "note", means: "a link to a page" },
  {
    // With line ends before the pipe too: they become a blank, and then it is a macro.
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
