import type { Element, ElementContent } from "hast";
import type { Block, Embed, List, ListItem, Paragraph, Quote } from "../../wiki/tree.js";
import { sectionId } from "../section-id.js";
import { isWords, splitAtMedia } from "../split-at-media.js";
import { type PlainContext, plainElement, plainWords } from "./plain-context.js";
import { plainInlines } from "./plain-inlines.js";

/** Blocks as plain HTML. */
export function plainBlocks(blocks: readonly Block[], context: PlainContext): readonly ElementContent[] {
  return blocks.flatMap((block) => {
    const write = HANDLERS[block.type] as (block: Block, context: PlainContext) => readonly ElementContent[];
    return write(block, context);
  });
}

type Handlers = {
  readonly [T in Block["type"]]: (
    block: Extract<Block, { readonly type: T }>,
    context: PlainContext,
  ) => readonly ElementContent[];
};

const HANDLERS: Handlers = {
  paragraph: plainParagraph,
  // The anchor keeps links to sections alive; its beginning keeps it apart from every name of the page around it.
  heading: ({ level, children }, context) => [
    plainElement(`h${level}`, plainInlines(children, { ...context, figures: false }), { id: sectionId(children) }),
  ],
  list: (list, context) => [plainList(list, context)],
  // A reader takes one line end at the end for the author's way to write the element.
  codeBlock: ({ value }) => [
    plainElement("pre", [plainElement("code", [plainWords(value.endsWith("\n") ? `${value}\n` : value)])]),
  ],
  quote: (quote, context) => [plainQuote(quote, context)],
  embed: plainEmbed,
  // Data about the page; the site does not show it (wiki-syntax 2.5).
  pageMacro: () => [],
};

function plainParagraph({ children }: Paragraph, context: PlainContext): readonly ElementContent[] {
  return splitAtMedia(children).flatMap((piece) => {
    if (isWords(piece)) return [plainElement("p", plainInlines(piece, { ...context, figures: false }))];
    return piece.type === "image" ? plainInlines([piece], { ...context, figures: true }) : plainAlone(piece, context);
  });
}

function plainList({ ordered, children }: List, context: PlainContext): Element {
  return plainElement(
    ordered ? "ol" : "ul",
    children.map((item) => plainItem(item, context)),
  );
}

function plainItem({ children, lists }: ListItem, context: PlainContext): Element {
  const nested = lists.map((list) => plainList(list, context));
  return plainElement("li", [...plainInlines(children, { ...context, figures: true }), ...nested]);
}

function plainQuote({ children, attribution }: Quote, context: PlainContext): Element {
  const said = plainBlocks(children, context);
  const name = plainInlines(attribution, { ...context, figures: false });
  return plainElement("blockquote", name.length === 0 ? said : [...said, plainElement("footer", name)]);
}

function plainEmbed({ child }: Embed, context: PlainContext): readonly ElementContent[] {
  return child.type === "image" ? plainInlines([child], { ...context, figures: true }) : plainAlone(child, context);
}

function plainAlone(child: Embed["child"], context: PlainContext): readonly ElementContent[] {
  return [plainElement("p", plainInlines([child], { ...context, figures: false }))];
}
