import type { PageBlock } from "./block.js";
import type { Fragments } from "./fragments.js";

type Writer<T extends PageBlock["type"]> = (
  block: Extract<PageBlock, { readonly type: T }>,
  fragments: Fragments,
) => string;

/** How one format writes each piece of a page. */
export type BlockWriters = { readonly [T in PageBlock["type"]]: Writer<T> };

/** The pieces of a page as one format writes them. */
export function writeBlocks(
  blocks: readonly PageBlock[],
  writers: BlockWriters,
  fragments: Fragments,
): readonly string[] {
  return blocks.map((block) => {
    const write = writers[block.type] as (block: PageBlock, fragments: Fragments) => string;
    return write(block, fragments);
  });
}
