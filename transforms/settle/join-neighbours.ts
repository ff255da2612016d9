import { text } from "../wiki/build-inlines.js";
import type { Inline } from "../wiki/tree.js";

/** Neighbouring texts as one: what is markup, or an address, only in several of them is found only in the whole. */
export function joinNeighbours(inlines: readonly Inline[]): readonly Inline[] {
  const joined: Inline[] = [];
  for (const inline of inlines) {
    const last = joined.at(-1);
    if (inline.type === "text" && last?.type === "text") joined[joined.length - 1] = text(last.value + inline.value);
    else joined.push("children" in inline ? { ...inline, children: joinNeighbours(inline.children) } : inline);
  }
  return joined;
}
