import type { HeadingLevel } from "../tree.js";
import type { BlockPlace, ReadBlock } from "./block-rule.js";
import { isBlank, skipBlanks, skipUnit, startsLine, UNIT } from "./characters.js";
import { readInlines } from "./inlines.js";
import { reportKeptMedia } from "./media.js";
import type { ReadInline } from "./read-inline.js";
import { lineFrom, report, type Source } from "./source.js";

/** `== Tools ==`: a line with the same run of equals signs at both ends (advice of wiki-syntax 7). */
export function readHeading(source: Source, { at, end }: BlockPlace): ReadBlock | undefined {
  const { text } = source;
  if (!startsLine(text, at)) return undefined;
  const { textEnd } = lineFrom(source, at, end);
  const edges = headingEdges(text, at, textEnd);
  if (edges === undefined) {
    report(source, "uneven-heading", at, textEnd);
    return undefined;
  }
  if (edges.level === 1) report(source, "top-heading", at, edges.end);
  const children = readInlines(source, edges.from, edges.to);
  if (children.some(hasEquals)) report(source, "equals-in-heading", at, edges.end);
  reportKeptMedia(source, children);
  return {
    type: "heading",
    before: "",
    level: edges.level,
    open: text.slice(at, edges.from),
    children,
    close: text.slice(edges.to, edges.end),
    position: { start: at, end: edges.end },
  };
}

function hasEquals(node: ReadInline): boolean {
  return node.type === "text" && node.value.includes("=");
}

export interface HeadingEdges {
  readonly level: HeadingLevel;
  /** Where the text begins and ends, and where the closing marks end. */
  readonly from: number;
  readonly to: number;
  readonly end: number;
}

const LEVELS: readonly HeadingLevel[] = [1, 2, 3, 4, 5, 6];

/** The parts of the heading that the line at `at` is, if it is one. Blanks may stand behind it. */
export function headingEdges(text: string, at: number, lineEnd: number): HeadingEdges | undefined {
  const end = skipBack(text, at, lineEnd, isBlank);
  const opened = skipUnit(text, UNIT.equals, at, end);
  const closing = skipBack(text, opened, end, (unit) => unit === UNIT.equals);
  const level = LEVELS[opened - at - 1];
  if (level === undefined || end - closing !== level) return undefined;
  const from = skipBlanks(text, opened, closing);
  const to = skipBack(text, from, closing, isBlank);
  return from < to ? { level, from, to, end } : undefined;
}

function skipBack(text: string, from: number, end: number, skips: (unit: number) => boolean): number {
  let at = end;
  while (at > from && skips(text.charCodeAt(at - 1))) at -= 1;
  return at;
}
