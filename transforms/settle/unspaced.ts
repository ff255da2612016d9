import type { Block } from "../wiki/tree.js";

/**
 * Blocks that were parsed alone, to stand behind others: the line ends before the first are not those before it now. A blank that
 * keeps its line from being a list or a heading stays.
 */
export function unspaced(blocks: readonly Block[]): readonly Block[] {
  return blocks.map((block, at) => {
    if (at > 0) return block;
    const { before = "", ...written } = block;
    const indent = before.slice(before.lastIndexOf("\n") + 1);
    return indent === "" ? written : { ...written, before: `\n\n${indent}` };
  });
}
