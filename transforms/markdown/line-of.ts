import type { Tell } from "../settle/draft.js";
import { mark, text } from "../wiki/build-inlines.js";
import { print } from "../wiki/print.js";
import type { Block, Inline, List } from "../wiki/tree.js";

/** Blocks as the inlines of a step line, which holds none: their words, one behind the other. */
export function lineOf(blocks: readonly Block[], tell: Tell): readonly Inline[] {
  if (blocks.length > 1 || blocks.some(({ type }) => type !== "paragraph" && type !== "embed")) {
    tell("block-in-line", "loss", "A line of a step holds no blocks; their words stand one behind the other.");
  }
  return between(blocks.map(wordsOf));
}

function between(groups: readonly (readonly Inline[])[]): readonly Inline[] {
  return groups.filter((group) => group.length > 0).flatMap((group, at) => (at === 0 ? group : [text(" "), ...group]));
}

function wordsOf(block: Block): readonly Inline[] {
  const words = HANDLERS[block.type] as (block: Block) => readonly Inline[];
  return words(block);
}

const HANDLERS: {
  readonly [Type in Block["type"]]: (block: Extract<Block, { readonly type: Type }>) => readonly Inline[];
} = {
  paragraph: ({ children }) => children,
  heading: ({ children }) => children,
  list: wordsOfList,
  codeBlock: ({ value }) => [mark("code", [text(value.replaceAll("\n", " "))])],
  quote: ({ attribution, children }) => between([...children.map(wordsOf), attribution]),
  embed: ({ child }) => [child],
  pageMacro: (macro) => [text(print({ ...macro, before: "" }))],
};

function wordsOfList({ children }: List): readonly Inline[] {
  return between(children.flatMap((item) => [item.children, ...item.lists.map(wordsOfList)]));
}
