import type { Element, ElementContent, Properties } from "hast";
import { type Schema, sanitize } from "hast-util-sanitize";
import { toHtml as stringify } from "hast-util-to-html";
import { print } from "../wiki/print.js";
import { parameterOf } from "../wiki/read-tree.js";
import type { Embed, Image, Link, Quote, Tree, Video } from "../wiki/tree.js";
import { createResolver, type ImageFile, isSafe, type Resolver, resolveLink } from "./resolver.js";
import { TreeRenderer } from "./tree-renderer.js";
import { sectionId } from "./writing.js";

export interface PlainHtmlOptions {
  /** Default: a resolver without data. */
  readonly resolver?: Resolver;
  /** Scheme and host, put before site-relative addresses. Default: they stay relative. */
  readonly origin?: string;
}

/**
 * A text as plain HTML for use outside of the site, without classes, styles, scripts, frames or
 * other active content. Images are figures, videos are links.
 */
export function toPlainHtml(tree: Tree, options: PlainHtmlOptions = {}): string {
  const { resolver = createResolver(), origin = "" } = options;
  const context: PlainContext = { resolver, origin: origin.replace(/\/$/, ""), figures: false };
  if (tree.type === "line") return printed(RENDERER.tree(tree, context));
  // Line ends between blocks make the file readable.
  return tree.children
    .flatMap((block) => RENDERER.blocks([block], context).map((each) => printedAlone(each)))
    .join("\n");
}

/** Item by item, so that memory never holds a second tree of a long list. */
function printedAlone(node: ElementContent): string {
  if (node.type !== "element" || !LISTS.has(node.tagName)) return printed([node]);
  return `<${node.tagName}>${node.children.map((child) => printed([child])).join("")}</${node.tagName}>`;
}

/** Written without attributes. */
const LISTS: ReadonlySet<string> = new Set(["ul", "ol"]);

function printed(children: readonly ElementContent[]): string {
  return stringify(sanitize({ type: "root", children: [...children] }, PLAIN_SCHEMA), {
    characterReferences: { useNamedReferences: true },
  });
}

type PlainRenderer = TreeRenderer<ElementContent, PlainContext>;

function plainQuote({ children, attribution }: Quote, context: PlainContext, renderer: PlainRenderer): Element {
  const rendered = renderer.blocks(children, context);
  const name = renderer.words(attribution, context);
  return plainElement("blockquote", name.length === 0 ? rendered : [...rendered, plainElement("footer", name)]);
}

function plainAlone(child: Embed["child"], context: PlainContext, renderer: PlainRenderer): readonly ElementContent[] {
  if (child.type === "image") return renderer.inlines([child], { ...context, figures: true });
  return [plainElement("p", renderer.words([child], context))];
}

/** A link without an allowed address is its label. */
function plainLink(link: Link, context: PlainContext, renderer: PlainRenderer): readonly ElementContent[] {
  const linkTarget = resolveLink(link, context.resolver);
  const label = renderer.words(link.children, context);
  if (linkTarget === undefined || linkTarget === "dead") return label.length > 0 ? label : [plainWords(link.target)];
  const shown = label.length > 0 ? label : [plainWords(linkTarget.title)];
  return [plainElement("a", shown, { href: outsideAddress(linkTarget.address, context) })];
}

/** A figure where one is allowed, elsewhere a picture; without a known address its id in words. */
function plainImage(image: Image, context: PlainContext): ElementContent {
  const id = image.target.trim();
  const file = context.resolver.image(id, parameterOf(image, "size") ?? "standard");
  const shown = file === undefined ? plainWords(`image ${id}`) : plainPicture(file, context);
  if (!context.figures) return shown;
  if (file === undefined) return plainElement("figure", [plainElement("figcaption", [shown])]);
  const { caption } = file;
  return plainElement(
    "figure",
    caption === undefined ? [shown] : [shown, plainElement("figcaption", [plainWords(caption)])],
  );
}

function plainPicture({ address, caption = "" }: ImageFile, context: PlainContext): Element {
  return plainElement("img", [], { src: outsideAddress(address, context), alt: caption });
}

/** A link to the video; without a known address its id in words. */
function plainVideo(video: Video, context: PlainContext): ElementContent {
  const target = video.target.trim();
  const address = isSafe(target) ? target : context.resolver.video(target)?.address;
  if (address === undefined) return plainWords(`video ${target}`);
  const href = outsideAddress(address, context);
  return plainElement("a", [plainWords(href)], { href });
}

interface PlainContext {
  readonly resolver: Resolver;
  /** Put before site-relative addresses; empty: unknown. */
  readonly origin: string;
  /** Whether an image can be a figure: not inside of a paragraph, a heading or a label. */
  readonly figures: boolean;
}

function plainElement(name: string, children: readonly ElementContent[], properties: Properties = {}): Element {
  return { type: "element", tagName: name, properties, children: [...children] };
}

function plainWords(value: string): ElementContent {
  return { type: "text", value };
}

function outsideAddress(address: string, { origin }: PlainContext): string {
  return /^\/(?!\/)/.test(address) ? origin + address : address;
}

/** Removes all else from plain HTML, as a second defence against mistakes of handlers. */
const PLAIN_SCHEMA: Schema = {
  tagNames: [
    ...["h1", "h2", "h3", "h4", "h5", "h6", "p", "ul", "ol", "li", "pre", "blockquote", "footer"],
    ...["figure", "figcaption", "img", "a", "br", "strong", "em", "u", "s", "sup", "sub", "code"],
  ],
  attributes: {
    a: ["href"],
    img: ["src", "alt"],
    ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, ["id"]])),
  },
  // Every id begins with "Section_", so that none can take the place of a name that a page's
  // scripts use.
  clobber: [],
  protocols: { href: ["http", "https", "ftp", "mailto"], src: ["http", "https"] },
};

const RENDERER = new TreeRenderer<ElementContent, PlainContext>({
  words: plainWords,
  element: plainElement,
  amongWords: (context) => ({ ...context, figures: false }),
  inItem: (context) => ({ ...context, figures: true }),
  alone: plainAlone,
  handlers: {
    // Keeps links to sections valid; the prefix separates the id from other names of the page.
    heading: ({ level, children }, context, renderer) => [
      plainElement(`h${level}`, renderer.words(children, context), { id: sectionId(children) }),
    ],
    // Doubles a final line end, since readers drop one as notation of the element.
    codeBlock: ({ value }) => [
      plainElement("pre", [plainElement("code", [plainWords(value.endsWith("\n") ? `${value}\n` : value)])]),
    ],
    quote: (quote, context, renderer) => [plainQuote(quote, context, renderer)],
    link: plainLink,
    image: (image, context) => [plainImage(image, context)],
    video: (video, context) => [plainVideo(video, context)],
    // Only the site knows its content.
    guideList: (list) => [plainWords(print(list))],
  },
});
