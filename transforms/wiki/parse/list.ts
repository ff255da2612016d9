import type { List, ListItem, Position } from "../tree.js";
import type { BlockPlace, ReadBlock } from "./block-rule.js";
import { startsLine } from "./characters.js";
import { readInlines } from "./inlines.js";
import { type ItemLine, type ItemLines, itemLineAt, takeLine } from "./item-lines.js";
import { reportKeptMedia } from "./media.js";
import type { Source } from "./source.js";

/** Reads neighbouring lines that begin with a list marker, up to one that begins a list of the other kind. */
export function readList(source: Source, { at, end }: BlockPlace): ReadBlock | undefined {
  const first = startsLine(source.text, at) ? itemLineAt(source, at, end, at) : undefined;
  if (first === undefined) return undefined;
  return takeList({ source, end, line: first }, first, 0, "");
}

type ReadList = List & { readonly position: Position; before: string };
type ReadItem = ListItem & { readonly position: Position };

/**
 * Takes the list that `first` begins inside of one that is `around` deep. Levels may be skipped, also downwards: an item that is
 * less deep than its neighbours, but deeper than what is around, stands beside them.
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
