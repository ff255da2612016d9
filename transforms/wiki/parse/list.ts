import type { List, ListItem, Position } from "../tree.js";
import { skipBlanks, startsLine, UNIT } from "./characters.js";
import { readInlines } from "./inlines.js";
import { reportKeptMedia } from "./paragraph.js";
import { type BlockPlace, lineFrom, type ReadBlock, report, type Source } from "./source.js";

/** Reads neighbouring lines with a list marker, up to one that begins a list of the other kind. */
export function readList(source: Source, { at, end }: BlockPlace): ReadBlock | undefined {
  const first = startsLine(source.text, at) ? itemLineAt(source, at, end, at) : undefined;
  if (first === undefined) return undefined;
  return takeList({ source, end, line: first }, first, 0, "");
}

type ReadList = List & { readonly position: Position; before: string };
type ReadItem = ListItem & { readonly position: Position };

/**
 * Reads the list of `first` at depth `around`. An item between two depths, in either direction, is
 * a sibling of its deeper neighbours.
 */
function takeList(lines: ItemLines, first: ItemLine, around: number, before: string): ReadList {
  const children: ReadItem[] = [];
  let depth = first.depth;
  for (let { line } = lines; line !== undefined && belongs(line, first, around, depth); line = lines.line) {
    depth = line.depth;
    children.push(takeItem(lines, line, children.length === 0));
  }
  const end = children.reduce((_, item) => item.position.end, first.end);
  return { type: "list", before, ordered: first.ordered, children, position: { start: first.start, end } };
}

function belongs(line: ItemLine, first: ItemLine, around: number, depth: number): boolean {
  return line.ordered === first.ordered && line.depth > around && line.depth <= depth;
}

function takeItem(lines: ItemLines, line: ItemLine, isFirst: boolean): ReadItem {
  const { text } = lines.source;
  const children = readInlines(lines.source, line.content, line.end);
  reportKeptMedia(lines.source, children);
  takeLine(lines, line);
  const lists = takeNested(lines, line.depth);
  return {
    type: "listItem",
    before: isFirst ? "" : text.slice(line.gap, line.start),
    marker: text.slice(line.start, line.markerEnd),
    space: text.slice(line.markerEnd, line.content),
    children,
    lists,
    position: { start: line.start, end: lists.at(-1)?.position.end ?? line.end },
  };
}

function takeNested(lines: ItemLines, depth: number): readonly ReadList[] {
  const lists: ReadList[] = [];
  for (let { line } = lines; line !== undefined && line.depth > depth; line = lines.line) {
    const before = lines.source.text.slice(line.gap, line.start);
    lists.push(takeList(lines, line, depth, before));
  }
  return lists;
}

/** The maximum depth of lists, so that long markers cannot overflow the stack. */
export const DEEPEST_LIST = 16;

interface ItemLine {
  readonly ordered: boolean;
  readonly depth: number;
  /** The end of the line before it: the line end between them follows. */
  readonly gap: number;
  readonly start: number;
  readonly markerEnd: number;
  readonly content: number;
  readonly end: number;
  readonly next: number;
}

/** `line`: the next line; undefined after the last. */
interface ItemLines {
  readonly source: Source;
  readonly end: number;
  line: ItemLine | undefined;
}

/** undefined: another line. */
function itemLineAt(source: Source, at: number, end: number, gap: number): ItemLine | undefined {
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

function takeLine(lines: ItemLines, { start, markerEnd, content, end, next }: ItemLine): void {
  const { source } = lines;
  if (markerEnd - start > DEEPEST_LIST) report(source, "deep-list", start, markerEnd);
  if (content === markerEnd && content < end) report(source, "list-without-space", start, markerEnd);
  lines.line = itemLineAt(source, next, lines.end, end);
}

function isMark(unit: number): boolean {
  return unit === UNIT.star || unit === UNIT.hash;
}
