import { heading, list, listItem, paragraph, quote } from "../wiki/build.js";
import { text } from "../wiki/build-inlines.js";
import type { Block, Heading, Inline, List, Quote } from "../wiki/tree.js";

/** Gives other inlines for those of one line or paragraph; `wrap` makes the smallest block in which they stand as they do there. */
export type ChangeInlines = (
  inlines: readonly Inline[],
  wrap: (inlines: readonly Inline[]) => Block,
) => readonly Inline[];

/** A block with all its inlines changed, those of its items and blocks too. Macros are left alone. */
export function mapInlines(block: Block, change: ChangeInlines): Block {
  const map = HANDLERS[block.type] as (block: Block, change: ChangeInlines) => Block;
  return map(block, change);
}

type Handler<Type extends Block["type"]> = (
  block: Extract<Block, { readonly type: Type }>,
  change: ChangeInlines,
) => Block;

const HANDLERS: { readonly [Type in Block["type"]]: Handler<Type> } = {
  paragraph: (block, change) => ({ ...block, children: change(block.children, paragraph) }),
  heading: (block: Heading, change) => ({
    ...block,
    children: change(block.children, (inlines) => heading(block.level, inlines)),
  }),
  list: mapList,
  codeBlock: (block) => block,
  quote: mapQuote,
  embed: (block) => block,
  pageMacro: (block) => block,
};

function mapList(block: List, change: ChangeInlines): List {
  const wrap = (inlines: readonly Inline[]) => list(block.ordered, [listItem(inlines)]);
  const children = block.children.map((item) => ({
    ...item,
    children: change(item.children, wrap),
    lists: item.lists.map((nested) => mapList(nested, change)),
  }));
  return { ...block, children };
}

/** A body that is never in doubt. */
const BODY = [paragraph([text("x")])];

function mapQuote(block: Quote, change: ChangeInlines): Quote {
  return {
    ...block,
    attribution: change(block.attribution, (attribution) => quote(BODY, { attribution })),
    children: block.children.map((child) => mapInlines(child, change)),
  };
}
