import type { MarkType } from "../wiki/tree.js";

/** The element that each mark of wiki text is in HTML. */
export const MARK_TAGS: Readonly<Record<MarkType, string>> = {
  strong: "strong",
  emphasis: "em",
  underline: "u",
  strike: "s",
  superscript: "sup",
  subscript: "sub",
  code: "code",
};
