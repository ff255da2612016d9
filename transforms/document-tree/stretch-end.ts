import { INLINE_KINDS } from "./names.js";
import { readNode } from "./read-node.js";

/** Behind the nodes of running text that begin at `at`, or behind the one block there. */
export function stretchEnd(content: readonly unknown[], at: number): number {
  let end = at;
  while (end < content.length && INLINE_KINDS.has(readNode(content[end]).kind)) end += 1;
  return Math.max(end, at + 1);
}
