import type { Block, Embed, Heading, List, ListItem, Paragraph, Quote } from "../../wiki/tree.js";
import { parameterOf } from "../../wiki/tree-readers.js";
import { element } from "../escape-html.js";
import { sectionId } from "../section-id.js";
import { isWords, splitAtMedia } from "../split-at-media.js";
import type { SiteContext } from "./context.js";
import { renderInlines } from "./render-inlines.js";

/** The HTML of blocks with a blank line between them, as the site writes it (real, wiki-syntax 2.1). */
export function renderBlocks(blocks: readonly Block[], context: SiteContext): string {
  return blocks.flatMap((block) => renderBlock(block, context)).join("\n\n");
}

function renderBlock(block: Block, context: SiteContext): readonly string[] {
  const render = HANDLERS[block.type] as (block: Block, context: SiteContext) => readonly string[];
  return render(block, context);
}

type Handlers = {
  readonly [T in Block["type"]]: (
    block: Extract<Block, { readonly type: T }>,
    context: SiteContext,
  ) => readonly string[];
};

const HANDLERS: Handlers = {
  paragraph: renderParagraph,
  heading: (heading, context) => [renderHeading(heading, context)],
  list: (list, context) => [renderList(list, context)],
  // HTML drops a line end right after the tag, so that one more is written.
  codeBlock: ({ value }, context) => [
    element("pre", {}, (value.startsWith("\n") ? "\n" : "") + renderInlines([{ type: "text", value }], context)),
  ],
  quote: (quote, context) => [renderQuote(quote, context)],
  embed: renderEmbed,
  // Data about the page; the site does not show it (wiki-syntax 2.5).
  pageMacro: () => [],
};

/** Media in the middle of a paragraph end it: HTML would break it there too. */
function renderParagraph({ children }: Paragraph, context: SiteContext): readonly string[] {
  return splitAtMedia(children).map((piece) =>
    isWords(piece)
      ? element("p", {}, renderInlines(piece, { ...context, boxes: false }))
      : renderInlines([piece], { ...context, boxes: true }),
  );
}

/** Heading and link to itself, today's form (style sheets of the vendor, wiki-syntax 2.1.1). */
function renderHeading({ level, children }: Heading, context: SiteContext): string {
  const id = sectionId(children);
  const text = element(`h${level}`, { id, class: "header" }, renderInlines(children, { ...context, boxes: false }));
  return element("div", { class: "headerContainer" }, element("a", { class: "selfLink", href: `#${id}` }, "") + text);
}

/** Without blanks between the tags (real, wiki-syntax 2.1). */
function renderList({ ordered, children }: List, context: SiteContext): string {
  const items = children.map((item) => renderItem(item, context));
  return element(ordered ? "ol" : "ul", {}, items.join(""));
}

function renderItem({ children, lists }: ListItem, context: SiteContext): string {
  const nested = lists.map((list) => renderList(list, context));
  return element("li", {}, renderInlines(children, { ...context, boxes: true }) + nested.join(""));
}

function renderQuote(quote: Quote, context: SiteContext): string {
  const format = parameterOf(quote, "format");
  const said = renderBlocks(quote.children, context);
  const name = renderInlines(quote.attribution, { ...context, boxes: false });
  const content = name === "" ? said : `${said}\n\n${element("p", { class: "quoted" }, name)}`;
  return element("blockquote", { class: format === "featured" ? format : undefined }, content);
}

/** A guide's card is known to the site only: a link says where it leads (its HTML is in no public material). */
function renderEmbed({ child }: Embed, context: SiteContext): readonly string[] {
  const html = renderInlines([child], { ...context, boxes: true });
  return [child.type === "link" ? element("p", {}, html) : html];
}
