import type { Element, ElementContent } from "hast";
import { parse } from "../../wiki/parse.js";
import { parameterOf } from "../../wiki/read-tree.js";
import type {
  Block,
  Embed,
  Heading,
  Inline,
  Link,
  List,
  ListItem,
  Mark,
  Paragraph,
  Quote,
  Tree,
} from "../../wiki/tree.js";
import { isWords, MARK_TAGS, sectionId, splitAtMedia } from "../writing.js";
import { linkNodes, linkPlace } from "./link-nodes.js";
import { card, readerGuideList, readerImage, readerVideo } from "./media-nodes.js";
import { amongWords, type ReaderContext, type ReaderOptions, readerContext } from "./reader-links.js";
import { codeNode, node, type SafeHtml, safeHtml, saysSomething, words, writtenNode } from "./safe-html.js";

/**
 * Longer texts are shown as characters, so that no text can keep a reader waiting (UTF-16 units).
 */
export const LONGEST_FORMATTED = 500_000;

/**
 * Wiki text as HTML for pages of the offline reader: what it links to in the archive is linked by
 * relative addresses, whatever is elsewhere is only ever linked, never loaded, and what is not in
 * the archive says so. Any text is shown, in time in proportion to its length; one of more than
 * `LONGEST_FORMATTED` units as it is written.
 */
export function readerHtml(text: string | Tree, options: ReaderOptions): SafeHtml {
  return safeHtml(readerContent(text, options));
}

/** The same before it is written as HTML. */
export function readerContent(text: string | Tree, options: ReaderOptions): readonly ElementContent[] {
  if (typeof text === "string") return contentOfText(text, options);
  const context = readerContext(options, text.type === "page");
  return text.type === "page" ? readerBlocks(text.children, context) : readerInlines(text.children, context);
}

function contentOfText(text: string, options: ReaderOptions): readonly ElementContent[] {
  const { inline = false, written = false } = options;
  if (written || text.length > LONGEST_FORMATTED) return [inline ? words(text) : writtenNode(text)];
  return readerContent(parse(text, { context: inline ? "line" : "page" }).tree, options);
}

/** Blocks of wiki text as the reader shows them. */
function readerBlocks(blocks: readonly Block[], context: ReaderContext): readonly ElementContent[] {
  return blocks.flatMap((block) => {
    const write = BLOCK_HANDLERS[block.type] as (block: Block, context: ReaderContext) => readonly ElementContent[];
    return write(block, context);
  });
}

type BlockHandlers = {
  readonly [T in Block["type"]]: (
    block: Extract<Block, { readonly type: T }>,
    context: ReaderContext,
  ) => readonly ElementContent[];
};

const BLOCK_HANDLERS: BlockHandlers = {
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

/**
 * A heading that says nothing would be a place in the page that people who hear it come to, and
 * find nothing.
 */
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

/** Words of wiki text as the reader shows them. */
function readerInlines(inlines: readonly Inline[], context: ReaderContext): readonly ElementContent[] {
  return inlines.flatMap((inline) => {
    const write = INLINE_HANDLERS[inline.type] as (inline: Inline, context: ReaderContext) => readonly ElementContent[];
    return write(inline, context);
  });
}

type InlineHandlers = {
  readonly [T in Inline["type"]]: (
    inline: Extract<Inline, { readonly type: T }>,
    context: ReaderContext,
  ) => readonly ElementContent[];
};

function readerMark({ type, children }: Mark, context: ReaderContext): readonly ElementContent[] {
  const content = readerInlines(children, amongWords(context));
  return content.length === 0 ? [] : [node(MARK_TAGS[type], content)];
}

function readerLink(link: Link, context: ReaderContext): readonly ElementContent[] {
  return linkNodes(linkPlace(link, context), readerInlines(link.children, { ...amongWords(context), inLink: true }));
}

const INLINE_HANDLERS: InlineHandlers = {
  text: ({ value }) => [words(value)],
  opaque: ({ value }) => [words(value)],
  strong: readerMark,
  emphasis: readerMark,
  underline: readerMark,
  strike: readerMark,
  superscript: readerMark,
  subscript: readerMark,
  code: readerMark,
  break: () => [node("br", [])],
  link: readerLink,
  image: readerImage,
  video: readerVideo,
  guideList: readerGuideList,
};
