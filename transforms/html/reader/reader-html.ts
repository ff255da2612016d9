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
  return RENDERER.tree(text, readerContext(options, text.type === "page"));
}

function contentOfText(text: string, options: ReaderOptions): readonly ElementContent[] {
  const { inline = false, written = false } = options;
  if (written || text.length > LONGEST_FORMATTED) return [inline ? words(text) : writtenNode(text)];
  return readerContent(parse(text, { context: inline ? "line" : "page" }).tree, options);
}

type ReaderRenderer = TreeRenderer<ElementContent, ReaderContext>;

/**
 * A heading that says nothing would be a place in the page that people who hear it come to, and
 * find nothing.
 */
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
  const said = renderer.blocks(quote.children, context);
  const name = renderer.words(quote.attribution, context);
  const featured = parameterOf(quote, "format") === "featured" ? { className: ["featured"] } : {};
  return node("blockquote", name.length === 0 ? said : [...said, node("footer", name)], featured);
}

/** A guide's card: at the site a box with its picture, here a link to its page. */
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
