import type { Nodes, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { chunksOf } from "./chunks.js";
import { parsePlain } from "./plain-paragraphs.js";
import { TASK_LIST } from "./task-list-extension.js";

/**
 * Without the pass that looks for addresses in finished texts: it would link those that an escape keeps from being links. The
 * parser itself finds the others.
 */
const OPTIONS = {
  extensions: [gfm()],
  mdastExtensions: [...gfmFromMarkdown().map(({ transforms: _, ...extension }) => extension), TASK_LIST],
};

/** CommonMark with GFM as a syntax tree. Of places the offsets are those of the text; lines count from the chunk that was parsed. */
export function parseMarkdown(markdown: string): Root {
  const chunks = chunksOf(markdown);
  if (chunks.length === 1) return parseChunk(markdown);
  const children = chunks.flatMap(({ text, start }) => moved(parseChunk(text), start).children);
  return { type: "root", children };
}

function parseChunk(text: string): Root {
  return parsePlain(text) ?? parseAny(text);
}

/** The same tree, its places counted from a text that it stands in. */
function moved<N extends Nodes>(node: N, by: number): N {
  const { position } = node;
  if (position !== undefined) {
    const [start = 0, end = 0] = [position.start.offset, position.end.offset];
    node.position = { start: { ...position.start, offset: start + by }, end: { ...position.end, offset: end + by } };
  }
  for (const child of "children" in node ? node.children : []) moved(child, by);
  return node;
}

/** The same by way of the parser, whatever the text is. */
export function parseAny(markdown: string): Root {
  return fromMarkdown(markdown, OPTIONS);
}
