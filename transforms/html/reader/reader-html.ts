import type { Element, ElementContent } from "hast";
import { parse } from "../../wiki/parse.js";
import { parameterOf } from "../../wiki/read-tree.js";
import type { Embed, Heading, Quote, Tree } from "../../wiki/tree.js";
import { TreeRenderer } from "../tree-renderer.js";
import { sectionId } from "../writing.js";
import { linkNodes, linkPlace } from "./link-nodes.js";
import { card, readerGuideList, readerImage, readerVideo } from "./media-nodes.js";
import { amongWords, type ReaderContext, type ReaderOptions, readerContext } from "./reader-links.js";
import { codeNode, node, type SafeHtml, safeHtml, saysSomething, words, writtenNode } from "./safe-html.js";

/** Longer texts are shown unformatted, which bounds the time of any text (UTF-16 units). */
export const LONGEST_FORMATTED = 500_000;

/**
 * Converts wiki text to HTML for the offline reader. Items in the archive get relative links, other
 * addresses are linked and never loaded, and missing items are named. Accepts any text in linear
 * time; a text of more than `LONGEST_FORMATTED` units is shown as written.
 */
export function readerHtml(text: string | Tree, options: ReaderOptions): SafeHtml {
  return safeHtml(readerContent(text, options));
}

/** The nodes of `readerHtml`. */
export function readerContent(text: string | Tree, options: ReaderOptions): readonly ElementContent[] {
  if (typeof text === "string") return contentOfText(text, options);
  return RENDERER.tree(text, readerContext(options, text.type === "page"));
}

function contentOfText(text: string, options: ReaderOptions): readonly ElementContent[] {
  const { inline = false, written = false } = options;
  if (written || text.length > LONGEST_FORMATTED) return [inline ? words(text) : writtenNode(text)];
  return readerContent(parse(text, { context: inline ? "line" : "page" }).tree, options);
}

type ReaderRenderer = TreeRenderer<ElementContent, ReaderContext>;

/** Drops an empty heading, which would be an empty stop for screen readers. */
function readerHeading(
  { level, children }: Heading,
  context: ReaderContext,
  renderer: ReaderRenderer,
): readonly ElementContent[] {
  const content = renderer.words(children, context);
  if (!saysSomething(content)) return content.length === 0 ? [] : [node("p", content)];
  const place = context.outline(level, sectionId(children));
  return [node(`h${place.level}`, content, { id: place.id })];
}

function readerQuote(quote: Quote, context: ReaderContext, renderer: ReaderRenderer): Element {
  const rendered = renderer.blocks(quote.children, context);
  const name = renderer.words(quote.attribution, context);
  const featured = parameterOf(quote, "format") === "featured" ? { className: ["featured"] } : {};
  return node("blockquote", name.length === 0 ? rendered : [...rendered, node("footer", name)], featured);
}

/** A guide's card: on the site a box with its picture, here a link to its page. */
function readerAlone(
  child: Embed["child"],
  context: ReaderContext,
  renderer: ReaderRenderer,
): readonly ElementContent[] {
  if (child.type !== "link") return renderer.inlines([child], context);
  return card(renderer.words([child], context), context);
}

const RENDERER = new TreeRenderer<ElementContent, ReaderContext>({
  words,
  element: node,
  amongWords,
  inItem: (context) => context,
  alone: readerAlone,
  handlers: {
    heading: readerHeading,
    codeBlock: ({ value }) => [codeNode(value)],
    quote: (quote, context, renderer) => [readerQuote(quote, context, renderer)],
    link: (link, context, renderer) =>
      linkNodes(linkPlace(link, context), renderer.words(link.children, { ...context, inLink: true })),
    image: readerImage,
    video: readerVideo,
    guideList: readerGuideList,
  },
});
