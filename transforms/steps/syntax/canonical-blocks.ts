import { codeBlock, embed, heading, list, listItem, paragraph, quote } from "../../wiki/build.js";
import type { Block, Embed, List, ListItem, Quote } from "../../wiki/tree.js";
import { canonicalInlines, canonicalMacro, withOneLineEnd } from "./canonical-inlines.js";
import { canonicalParameters } from "./canonical-parameters.js";

/** A block with the markers and spacing that the builders write. */
export function canonicalBlock(block: Block): Block {
  const write = HANDLERS[block.type] as (block: Block) => Block;
  return write(block);
}

type Handler<Type extends Block["type"]> = (block: Extract<Block, { readonly type: Type }>) => Block;

const HANDLERS: { readonly [Type in Block["type"]]: Handler<Type> } = {
  paragraph: ({ children }) => paragraph(canonicalInlines(children)),
  heading: ({ level, children }) => heading(level, canonicalInlines(children)),
  list: canonicalList,
  // Whether every site reads the other spellings as code is not known: what could be markup then keeps its own.
  codeBlock: (block) => (/\[|:\/\//.test(block.value) ? block : codeBlock(withOneLineEnd(block.value))),
  quote: canonicalQuote,
  embed: ({ child }) => embed(canonicalMacro(child) as Embed["child"]),
  // Their fields are data of the page, in forms that only old sites read: they keep every character.
  pageMacro: ({ position: _position, before: _before, ...macro }) => macro,
};

function canonicalList({ ordered, children }: List): List {
  return list(ordered, children.map(canonicalItem));
}

function canonicalItem({ children, lists }: ListItem): ListItem {
  return listItem(canonicalInlines(children), lists.map(canonicalList));
}

function canonicalQuote({ leading, attribution, parameters, children }: Quote): Quote {
  const fields = canonicalParameters([...leading, ...parameters]);
  return {
    ...quote(children.map(canonicalBlock), { attribution: canonicalInlines(attribution) }),
    parameters: fields.filter(({ name, value }) => name !== "format" || value !== "long"),
  };
}
