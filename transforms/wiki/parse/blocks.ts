import { isBlockMedium, isMedium } from "../leaves.js";
import type { Embed, HeadingLevel, Inline, Line, List, ListItem, Position } from "../tree.js";
import { isBlank, skipBlanks, skipSpace, skipUnit, startsLine, trimEnd, UNIT } from "./characters.js";
import { readInlines } from "./inlines.js";
import { type BlockPlace, lineFrom, type ReadBlock, type ReadInline, report, type Source } from "./source.js";

/** Reads a paragraph, or several around videos and lists of guides (advice of wiki-syntax 7). */
export function readParagraph(source: Source, start: number, end: number): readonly ReadBlock[] {
  const children = readInlines(source, start, end);
  reportKeptMedia(
    source,
    children.filter((child) => !isBlockMedium(child)),
  );
  if (!children.some(isBlockMedium)) return [{ type: "paragraph", before: "", children, position: { start, end } }];
  const blocks: ReadBlock[] = [];
  let group: ReadInline[] = [];
  for (const child of children) {
    if (!isBlockMedium(child)) {
      group.push(child);
      continue;
    }
    report(source, "media-in-text", child.position.start, child.position.end);
    blocks.push(...paragraphOf(group), { type: "embed", before: "", child, position: child.position });
    group = [];
  }
  return [...blocks, ...paragraphOf(group)];
}

/** Spaces at its edges are spacing of blocks. */
function paragraphOf(group: readonly ReadInline[]): readonly ReadBlock[] {
  const children = group
    .map((node, index) => trimmed(node, index === 0, index === group.length - 1))
    .filter(isSomething);
  const start = children[0]?.position.start;
  const end = children.at(-1)?.position.end;
  return start === undefined || end === undefined
    ? []
    : [{ type: "paragraph", before: "", children, position: { start, end } }];
}

function trimmed(node: ReadInline, isFirst: boolean, isLast: boolean): ReadInline {
  if (node.type !== "text") return node;
  const { value, position } = node;
  const from = isFirst ? skipSpace(value, 0, value.length) : 0;
  const to = isLast ? trimEnd(value, from, value.length) : value.length;
  return {
    type: "text",
    value: value.slice(from, to),
    position: { start: position.start + from, end: position.start + to },
  };
}

function isSomething(node: ReadInline): boolean {
  return node.type !== "text" || node.value !== "";
}

/** `== Tools ==`: equal runs of equals signs at both ends (advice of wiki-syntax 7). */
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

interface HeadingEdges {
  readonly level: HeadingLevel;
  /** The start and end of the text, and the end of the closing marks. */
  readonly from: number;
  readonly to: number;
  readonly end: number;
}

const LEVELS: readonly HeadingLevel[] = [1, 2, 3, 4, 5, 6];

/** undefined: another line. Spaces can follow the heading. */
function headingEdges(text: string, at: number, lineEnd: number): HeadingEdges | undefined {
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

const LIST_MARK = /[*#]/;

/** Reads a step line. What is a heading or a list on a page is text here, and is reported. */
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

const OPEN = /\[(?:image|video|guidelist|guide)[ \t]*\|/iy;

/** A line of only media, a list of guides, or a guide link without a label. */
export function readEmbed(source: Source, { at, end }: BlockPlace): ReadBlock | undefined {
  const { text, issues } = source;
  OPEN.lastIndex = at;
  if (!OPEN.test(text)) return undefined;
  const before = issues.length;
  const [child, ...rest] = readInlines(source, at, trimEnd(text, at, lineFrom(source, at, end).textEnd));
  if (child === undefined || rest.length > 0 || !isEmbeddable(child)) {
    issues.length = before;
    return undefined;
  }
  const { position } = child;
  if (child.type === "link") report(source, "guide-card", position.start, position.end);
  return { type: "embed", before: "", child, position };
}

function isEmbeddable(node: ReadInline): node is Embed["child"] & ReadInline {
  if (node.type === "link") return node.kind === "guide" && node.bar === "";
  return isMedium(node);
}

export function reportKeptMedia(source: Source, nodes: readonly ReadInline[]): void {
  for (const node of nodes) {
    if (holdsMedia(node)) report(source, "media-in-words", node.position.start, node.position.end);
  }
}

function holdsMedia(node: Inline): boolean {
  return isBlockMedium(node) || ("children" in node && node.children.some(holdsMedia));
}

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
