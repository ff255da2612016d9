import type { ReadBlock } from "./block-rule.js";
import { skipSpace, trimEnd } from "./characters.js";
import { readInlines } from "./inlines.js";
import { isMedia, reportKeptMedia } from "./media.js";
import type { ReadInline } from "./read-inline.js";
import { report, type Source } from "./source.js";

/** Reads lines of text: a paragraph, or several around videos and lists of guides, which are blocks (advice of wiki-syntax 7). */
export function readParagraph(source: Source, start: number, end: number): readonly ReadBlock[] {
  const children = readInlines(source, start, end);
  reportKeptMedia(
    source,
    children.filter((child) => !isMedia(child)),
  );
  if (!children.some(isMedia)) return [{ type: "paragraph", before: "", children, position: { start, end } }];
  const blocks: ReadBlock[] = [];
  let group: ReadInline[] = [];
  for (const child of children) {
    if (!isMedia(child)) {
      group.push(child);
      continue;
    }
    report(source, "media-in-text", child.position.start, child.position.end);
    blocks.push(...paragraphOf(group), { type: "embed", before: "", child, position: child.position });
    group = [];
  }
  return [...blocks, ...paragraphOf(group)];
}

/** A paragraph beside a block: blanks at its edges are spacing. */
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
