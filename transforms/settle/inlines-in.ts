import { text } from "../wiki/build-inlines.js";
import { print } from "../wiki/print.js";
import type { Block, Inline } from "../wiki/tree.js";

/** The inlines of blocks that were read of a stretch of running text; a block of another kind as its text. */
export function inlinesIn(blocks: readonly Block[]): readonly Inline[] {
  return blocks.flatMap((block): readonly Inline[] => {
    if (block.type === "paragraph") return block.children;
    return block.type === "embed" ? [block.child] : [text(print(block))];
  });
}
