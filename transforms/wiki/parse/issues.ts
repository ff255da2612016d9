import type { TextIssue } from "../tree.js";

/** What the parser has to say, by code: places with another reading (wiki-syntax 7), and how they were read. */
export const ISSUES = {
  "unpaired-mark": note("A marker has no partner in its block; it is read as text."),
  "ambiguous-apostrophes": note(
    "This run of apostrophes has several readings; it closes what is open, then opens with what is left, and the rest is text.",
  ),
  "nested-apostrophes": note(
    "Five apostrophes open bold and italic at once, which are closed one after the other; the one that is closed first is the inner one.",
  ),
  "blank-in-mark": note("A blank stands behind an opening marker; it is read as a marker all the same."),
  "odd-italics": note(
    "The block has an odd number of double apostrophes, of which one may be an inch mark; they are paired from the left.",
  ),
  "marker-run": note(
    "A run of more than two marks of one kind; those that do not open or close anything are read as text.",
  ),
  "crossing-marks": note("Two marks cross instead of nesting; the inner one is cut in two."),
  "unknown-macro": note("A macro with an unknown keyword or without a usable target; it is kept as text."),
  "macro-in-label": note("A macro stands inside of another; only the inner one is read."),
  "unclosed-macro": note("A macro is not closed in its block; it is read as text."),
  "bracket-in-label": note("A bracket inside of a macro is not closed; the first closing bracket ends the macro."),
  "pipe-in-label": note("A macro has more fields than it knows; they are read as one label with pipes."),
  "equals-in-label": note(
    "The label of a link holds an equals sign; only known names are parameters, so it is read as label.",
  ),
  "marks-in-label": note("What the site makes of marks in the label of a link is unknown; they are read as marks."),
  "url-punctuation": note("Punctuation stands directly behind an address; it is not read as a part of it."),
  "url-cut": note("A marker stands inside of an address; the address ends before it."),
  "uneven-heading": note("A line begins with equals signs and does not end with as many; it is read as text."),
  "equals-in-heading": note("Equals signs stand inside of a heading; they are read as its text."),
  "top-heading": note("A heading of level 1 is not known to exist on the site; it is read as one."),
  "list-without-space": note("No blank stands behind a list marker; the line is read as an item."),
  "deep-list": note("A list marker is longer than lists can be deep; it counts as the deepest level."),
  "text-after-block": note("Text follows a block without a blank line; it is read as a new paragraph."),
  "media-in-text": note("A video or list of guides stands beside text; it is read as a block of its own."),
  "media-in-words": note(
    "A video or list of guides stands in an item, a heading, a name or a mark, where no block can stand; it is kept there.",
  ),
  "guide-card": note("A guide link without a label stands on its own line; it is read as the guide's card."),
  "single-newline": note(
    "What the site makes of a single line end inside of a paragraph is unknown; it is kept as text.",
  ),
  "carriage-return": note("The text has carriage returns; they are kept as they are."),
  "odd-blank": note("The text has tabs or spaces that do not break; they are kept as they are."),
  entity: note("The text has entities of HTML; they are kept as text, which the site may show as it is written."),
  "block-in-text": note("A block construct stands inside of text; it is read as text."),
  "block-in-line": note("Lines of steps have no blocks; this one is read as text."),
} as const satisfies Record<string, Pick<TextIssue, "level" | "message">>;

export type IssueCode = keyof typeof ISSUES;

function note(message: string): Pick<TextIssue, "level" | "message"> {
  return { level: "note", message };
}
