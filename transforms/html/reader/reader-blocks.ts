import type { Element, ElementContent } from "hast";
import type { Block, Embed, Heading, List, ListItem, Paragraph, Quote } from "../../wiki/tree.js";
import { parameterOf } from "../../wiki/tree-readers.js";
import { sectionId } from "../section-id.js";
import { isWords, splitAtMedia } from "../split-at-media.js";
import { codeNode } from "./code-node.js";
import { node, saysSomething } from "./node.js";
import { amongWords, type ReaderContext } from "./reader-context.js";
import { readerInlines } from "./reader-inlines.js";
import { card } from "./reader-media.js";

/** Blocks of wiki text as the reader shows them. */
export function readerBlocks(blocks: readonly Block[], context: ReaderContext): readonly ElementContent[] {
  return blocks.flatMap((block) => {
    const write = HANDLERS[block.type] as (block: Block, context: ReaderContext) => readonly ElementContent[];
    return write(block, context);
  });
}

type Handlers = {
  readonly [T in Block["type"]]: (
    block: Extract<Block, { readonly type: T }>,
    context: ReaderContext,
  ) => readonly ElementContent[];
};

const HANDLERS: Handlers = {
  paragraph: readerParagraph,
  heading: readerHeading,
  list: (list, context) => [readerList(list, context)],
  codeBlock: ({ value }) => [codeNode(value)],
  quote: (quote, context) => [readerQuote(quote, context)],
  embed: readerEmbed,
  // Data about the page; the site does not show it (wiki-syntax 2.5).
  pageMacro: () => [],
};

function readerParagraph({ children }: Paragraph, context: ReaderContext): readonly ElementContent[] {
  return splitAtMedia(children).flatMap((piece) =>
    isWords(piece) ? [node("p", readerInlines(piece, amongWords(context)))] : readerInlines([piece], context),
  );
}

/** A heading that says nothing would be a place in the page that people who hear it come to, and find nothing. */
function readerHeading({ level, children }: Heading, context: ReaderContext): readonly ElementContent[] {
  const content = readerInlines(children, amongWords(context));
  if (!saysSomething(content)) return content.length === 0 ? [] : [node("p", content)];
  const place = context.outline(level, sectionId(children));
  return [node(`h${place.level}`, content, { id: place.id })];
}

function readerList({ ordered, children }: List, context: ReaderContext): Element {
  return node(
    ordered ? "ol" : "ul",
    children.map((item) => readerItem(item, context)),
  );
}

function readerItem({ children, lists }: ListItem, context: ReaderContext): Element {
  const nested = lists.map((list) => readerList(list, context));
  return node("li", [...readerInlines(children, context), ...nested]);
}

function readerQuote(quote: Quote, context: ReaderContext): Element {
  const said = readerBlocks(quote.children, context);
  const name = readerInlines(quote.attribution, amongWords(context));
  const featured = parameterOf(quote, "format") === "featured" ? { className: ["featured"] } : {};
  return node("blockquote", name.length === 0 ? said : [...said, node("footer", name)], featured);
}

/** A guide's card: at the site a box with its picture, here a link to its page. */
function readerEmbed({ child }: Embed, context: ReaderContext): readonly ElementContent[] {
  if (child.type !== "link") return readerInlines([child], context);
  return card(readerInlines([child], amongWords(context)), context);
}
