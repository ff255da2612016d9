import type { Line } from "../tree.js";
import { headingEdges } from "./heading.js";
import { readInlines } from "./inlines.js";
import { lineFrom, report, type Source } from "./source.js";

const LIST_MARK = /[*#]/;

/** Reads the line of a step. What would be a heading or a list on a page is text, and reported. */
export function readLine(source: Source): Line {
  const { text } = source;
  for (let at = 0, line = lineFrom(source, 0, text.length); at < text.length; ) {
    if (LIST_MARK.test(text.charAt(at)) || headingEdges(text, at, line.textEnd) !== undefined) {
      report(source, "block-in-line", at, line.textEnd);
    }
    at = line.next;
    line = lineFrom(source, at, text.length);
  }
  const position = { start: 0, end: text.length };
  return { type: "line", children: readInlines(source, 0, text.length), position };
}
