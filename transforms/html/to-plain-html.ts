import type { Element, ElementContent, Properties } from "hast";
import { type Schema, sanitize } from "hast-util-sanitize";
import { toHtml as stringify } from "hast-util-to-html";
import { print } from "../wiki/print.js";
import { parameterOf } from "../wiki/read-tree.js";
import type {
  Block,
  Embed,
  Image,
  Inline,
  Link,
  List,
  ListItem,
  Mark,
  Paragraph,
  Quote,
  Tree,
  Video,
} from "../wiki/tree.js";
import { createResolver, type ImageFile, isSafe, type Resolver, resolveLink } from "./resolver.js";
import { isWords, MARK_TAGS, sectionId, splitAtMedia } from "./writing.js";

export interface PlainHtmlOptions {
  /** Default: one that knows nothing. */
  readonly resolver?: Resolver;
  /**
   * Scheme and host of the site, put before addresses relative to it. Default: they stay relative.
   */
  readonly origin?: string;
}

/**
 * A text as plain HTML for readers outside of the site: elements that say what the text means,
 * without classes, styles, scripts, frames or anything else that runs. Images are figures, videos
 * are links to them.
 */
export function toPlainHtml(tree: Tree, options: PlainHtmlOptions = {}): string {
  const { resolver = createResolver(), origin = "" } = options;
  const context: PlainContext = { resolver, origin: origin.replace(/\/$/, ""), figures: false };
  if (tree.type === "line") return printed(plainInlines(tree.children, context));
  // A line end between blocks: nothing to a reader of the page, everything to a reader of the file.
  return tree.children.flatMap((block) => plainBlocks([block], context).map((each) => printedAlone(each))).join("\n");
}

/** Item by item, so that no tree of a long list is in memory beside the given one. */
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

/** Blocks as plain HTML. */
function plainBlocks(blocks: readonly Block[], context: PlainContext): readonly ElementContent[] {
  return blocks.flatMap((block) => {
    const write = BLOCK_HANDLERS[block.type] as (block: Block, context: PlainContext) => readonly ElementContent[];
    return write(block, context);
  });
}

type BlockHandlers = {
  readonly [T in Block["type"]]: (
    block: Extract<Block, { readonly type: T }>,
    context: PlainContext,
  ) => readonly ElementContent[];
};

const BLOCK_HANDLERS: BlockHandlers = {
  paragraph: plainParagraph,
  // The anchor keeps links to sections alive; its beginning keeps it apart from every name of the
  // page around it.
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

/** Words as plain HTML. */
function plainInlines(inlines: readonly Inline[], context: PlainContext): readonly ElementContent[] {
  return inlines.flatMap((inline) => {
    const write = INLINE_HANDLERS[inline.type] as (inline: Inline, context: PlainContext) => readonly ElementContent[];
    return write(inline, context);
  });
}

type InlineHandlers = {
  readonly [T in Inline["type"]]: (
    inline: Extract<Inline, { readonly type: T }>,
    context: PlainContext,
  ) => readonly ElementContent[];
};

function plainMark({ type, children }: Mark, context: PlainContext): readonly ElementContent[] {
  const content = plainInlines(children, { ...context, figures: false });
  return content.length === 0 ? [] : [plainElement(MARK_TAGS[type], content)];
}

const INLINE_HANDLERS: InlineHandlers = {
  text: ({ value }) => [plainWords(value)],
  opaque: ({ value }) => [plainWords(value)],
  strong: plainMark,
  emphasis: plainMark,
  underline: plainMark,
  strike: plainMark,
  superscript: plainMark,
  subscript: plainMark,
  code: plainMark,
  break: () => [plainElement("br", [])],
  link: plainLink,
  image: (image, context) => [plainImage(image, context)],
  video: (video, context) => [plainVideo(video, context)],
  // What it lists is known to the site only.
  guideList: (list) => [plainWords(print(list))],
};

/** A link that leads nowhere, or to where no link may lead, is its label. */
function plainLink(link: Link, context: PlainContext): readonly ElementContent[] {
  const goal = resolveLink(link, context.resolver);
  const label = plainInlines(link.children, { ...context, figures: false });
  if (goal === undefined || goal === "dead") return label.length > 0 ? label : [plainWords(link.target)];
  const shown = label.length > 0 ? label : [plainWords(goal.title)];
  return [plainElement("a", shown, { href: outsideAddress(goal.address, context) })];
}

/**
 * An image: a figure where one may stand, its picture elsewhere; its id in words when no address is
 * known.
 */
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

/** A link to where the video can be seen; its id in words when that is not known. */
function plainVideo(video: Video, context: PlainContext): ElementContent {
  const target = video.target.trim();
  const address = isSafe(target) ? target : context.resolver.video(target)?.address;
  if (address === undefined) return plainWords(`video ${target}`);
  const href = outsideAddress(address, context);
  return plainElement("a", [plainWords(href)], { href });
}

interface PlainContext {
  readonly resolver: Resolver;
  /** Put before addresses that are relative to the site; empty when it is not known. */
  readonly origin: string;
  /**
   * Whether an image may be a figure of its own: not inside of a paragraph, a heading or a label.
   */
  readonly figures: boolean;
}

/** A piece of HTML as a tree. */
function plainElement(name: string, children: readonly ElementContent[], properties: Properties = {}): Element {
  return { type: "element", tagName: name, properties, children: [...children] };
}

function plainWords(value: string): ElementContent {
  return { type: "text", value };
}

/** An address that leads somewhere from outside of the site. */
function outsideAddress(address: string, { origin }: PlainContext): string {
  return /^\/(?!\/)/.test(address) ? origin + address : address;
}

/**
 * What plain HTML may hold; whatever else a handler were to write is taken out, so that one mistake
 * there opens nothing.
 */
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
