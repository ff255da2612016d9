import { skipBlanks, UNIT } from "./characters.js";
import { lineFrom, report, type Source } from "./source.js";

/** Lists count as at most this deep: markers longer than any person writes must not make a tree that overflows a stack. */
export const DEEPEST_LIST = 16;

/** A line that begins with a list marker. */
export interface ItemLine {
  readonly ordered: boolean;
  readonly depth: number;
  /** Where the line before it ends: what follows is the line end between them. */
  readonly gap: number;
  readonly start: number;
  readonly markerEnd: number;
  readonly content: number;
  readonly end: number;
  readonly next: number;
}

/** The lines of a list one by one; `line` is the next one, undefined behind the last. */
export interface ItemLines {
  readonly source: Source;
  readonly end: number;
  line: ItemLine | undefined;
}

/** Reads the list line at `at`; undefined when it is none. */
export function itemLineAt(source: Source, at: number, end: number, gap: number): ItemLine | undefined {
  const { text } = source;
  let markerEnd = at;
  while (markerEnd < end && isMark(text.charCodeAt(markerEnd))) markerEnd += 1;
  if (markerEnd === at) return undefined;
  const { textEnd, next } = lineFrom(source, markerEnd, end);
  const ordered = text.charCodeAt(markerEnd - 1) === UNIT.hash;
  const depth = Math.min(markerEnd - at, DEEPEST_LIST);
  return {
    ordered,
    depth,
    gap,
    start: at,
    markerEnd,
    content: skipBlanks(text, markerEnd, textEnd),
    end: textEnd,
    next,
  };
}

/** Goes on to the line behind the one that was taken. */
export function takeLine(lines: ItemLines, { start, markerEnd, content, end, next }: ItemLine): void {
  const { source } = lines;
  if (markerEnd - start > DEEPEST_LIST) report(source, "deep-list", start, markerEnd);
  if (content === markerEnd && content < end) report(source, "list-without-space", start, markerEnd);
  lines.line = itemLineAt(source, next, lines.end, end);
}

function isMark(unit: number): boolean {
  return unit === UNIT.star || unit === UNIT.hash;
}
