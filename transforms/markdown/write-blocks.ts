import type { BlockContent, Html, ListItem as MarkdownItem, List as MarkdownList, Paragraph } from "mdast";
import { print } from "../wiki/print.js";
import type { Block, List, ListItem, Quote } from "../wiki/tree.js";
import { ATTRIBUTION, DIVIDER, nameBehindDash, quoteFields, RAW_BLOCK } from "./raw-wiki.js";
import { writeInlines, writeLine } from "./write-inlines.js";

/** A block as Markdown nodes. */
export function writeBlock(block: Block): BlockContent[] {
  const write = HANDLERS[block.type] as (block: Block) => BlockContent[];
  return write(block);
}

/** A block as the wiki text that it is: what every block can be written as. */
export function writeRaw(block: Block): BlockContent[] {
  return [{ type: "code", lang: RAW_BLOCK, value: print({ ...block, before: "" }) }];
}

type Handler<Type extends Block["type"]> = (block: Extract<Block, { readonly type: Type }>) => BlockContent[];

const HANDLERS: { readonly [Type in Block["type"]]: Handler<Type> } = {
  paragraph: ({ children }) => paragraphs(writeInlines(children)),
  heading: ({ level, children }) => [{ type: "heading", depth: level, children: writeLine(children) }],
  list: (list) => [writeList(list)],
  codeBlock: ({ value }) => [{ type: "code", value }],
  quote: writeQuote,
  embed: ({ child }) => paragraphs(writeInlines([child])),
  pageMacro: writeRaw,
};

function paragraphs(children: Paragraph["children"]): Paragraph[] {
  return children.length > 0 ? [{ type: "paragraph", children }] : [];
}

/** No blank lines between items: in wiki text there are none. */
function writeList({ ordered, children }: List): MarkdownList {
  return { type: "list", ordered, spread: false, children: children.map(writeItem) };
}

function writeItem({ children, lists }: ListItem): MarkdownItem {
  return {
    type: "listItem",
    spread: false,
    children: [...paragraphs(writeInlines(children)), ...lists.map(writeList)],
  };
}

/** Its fields stand before it in a comment, who said it stands behind it. */
function writeQuote(quote: Quote): BlockContent[] {
  const fields = quoteFields(quote);
  const attribution = writeInlines(quote.attribution);
  const said = paragraphs(attribution.length > 0 ? [{ type: "text", value: ATTRIBUTION }, ...attribution] : []);
  const words = quote.children.flatMap(writeBlock);
  const children = [...(fields === undefined ? [] : [html(fields)]), ...words, ...said];
  const looksSaid = said.length === 0 && nameBehindDash(words.at(-1)) !== undefined;
  return [{ type: "blockquote", children: looksSaid ? [...children, html(DIVIDER)] : children }];
}

function html(value: string): Html {
  return { type: "html", value };
}
