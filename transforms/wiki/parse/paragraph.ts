import { isBlockMedium, isMedium } from "../leaves.js";
import type { Embed, HeadingLevel, Inline, Line } from "../tree.js";
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
