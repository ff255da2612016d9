import { print } from "../wiki/print.js";
import { opensNewWindow, parameterOf } from "../wiki/read-tree.js";
import type {
  Block,
  Embed,
  GuideList,
  Heading,
  Image,
  Inline,
  Link,
  List,
  ListItem,
  Mark,
  MarkType,
  Paragraph,
  Quote,
  Tree,
  Video,
} from "../wiki/tree.js";
import { createResolver, isSafe, type ResolvedLink, type Resolver, relOf, resolveLink } from "./resolver.js";
import { readVideoAddress, type ServiceVideo } from "./video-service.js";
import { element, escapeHtml, isWords, sectionId, splitAtMedia, voidElement } from "./writing.js";

/**
 * A text as a modern Dozuki site renders it: `text_rendered` of a step line,
 * `introduction_rendered`, `contents_rendered` of a page (wiki-syntax 2 and 3). What is shown is
 * the same as there; addresses need `resolver`, and are made of the ids where it knows nothing.
 * Shapes that no public material shows are chosen: see the README of this folder.
 */
export function toHtml(tree: Tree, resolver: Resolver = createResolver()): string {
  if (tree.type === "page") return renderBlocks(tree.children, { resolver, boxes: true });
  return renderInlines(tree.children, { resolver, boxes: false });
}

/**
 * The HTML of blocks with a blank line between them, as the site writes it (real, wiki-syntax 2.1).
 */
function renderBlocks(blocks: readonly Block[], context: SiteContext): string {
  return blocks.flatMap((block) => renderBlock(block, context)).join("\n\n");
}

function renderBlock(block: Block, context: SiteContext): readonly string[] {
  const render = BLOCK_HANDLERS[block.type] as (block: Block, context: SiteContext) => readonly string[];
  return render(block, context);
}

type BlockHandlers = {
  readonly [T in Block["type"]]: (
    block: Extract<Block, { readonly type: T }>,
    context: SiteContext,
  ) => readonly string[];
};

const BLOCK_HANDLERS: BlockHandlers = {
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

/**
 * A guide's card is known to the site only: a link says where it leads (its HTML is in no public
 * material).
 */
function renderEmbed({ child }: Embed, context: SiteContext): readonly string[] {
  const html = renderInlines([child], { ...context, boxes: true });
  return [child.type === "link" ? element("p", {}, html) : html];
}

/** The HTML of words. */
function renderInlines(inlines: readonly Inline[], context: SiteContext): string {
  let html = "";
  for (const inline of inlines) {
    // A table by type cannot say to the compiler that the handler and the node fit each other.
    const render = INLINE_HANDLERS[inline.type] as (inline: Inline, context: SiteContext) => string;
    html += render(inline, context);
  }
  return html;
}

type InlineHandlers = {
  readonly [T in Inline["type"]]: (inline: Extract<Inline, { readonly type: T }>, context: SiteContext) => string;
};

/** Underline is `<ins>`, code `<tt>` (real and vendor's code, wiki-syntax 2.2). */
const TAGS: Readonly<Record<MarkType, string>> = {
  strong: "strong",
  emphasis: "em",
  underline: "ins",
  strike: "del",
  superscript: "sup",
  subscript: "sub",
  code: "tt",
};

/** What shows nothing gets no element: a mark that was cut in two around nothing. */
function renderMark(node: Mark, context: SiteContext): string {
  const content = renderInlines(node.children, context);
  return content === "" ? "" : element(TAGS[node.type], {}, content);
}

const INLINE_HANDLERS: InlineHandlers = {
  text: ({ value }) => escapeHtml(value),
  opaque: ({ value }) => escapeHtml(value),
  strong: renderMark,
  emphasis: renderMark,
  underline: renderMark,
  strike: renderMark,
  superscript: renderMark,
  subscript: renderMark,
  code: renderMark,
  // A line end behind it in the text belongs to it and shows nothing more.
  break: () => voidElement("br"),
  link: (node, context) =>
    renderLink(node, renderInlines(node.children, { ...context, boxes: false }), context.resolver),
  image: (node, { resolver, boxes }) => (boxes ? renderImageBox : renderImage)(node, resolver),
  video: (node, { resolver, boxes }) => (boxes ? renderVideo : renderVideoLink)(node, resolver),
  guideList: (node, { boxes }) => (boxes ? renderGuideList(node) : escapeHtml(print(node))),
};

/** What the site shows instead of a link to a guide that does not exist (real, wiki-syntax 2.3). */
export const DEAD_GUIDE = "[invalid guide link]";

/** A link; `label` is HTML, empty when the link has none. */
function renderLink(link: Link, label: string, resolver: Resolver): string {
  const goal = resolveLink(link, resolver);
  if (goal === "dead") return DEAD_GUIDE;
  if (goal === undefined) return label === "" ? escapeHtml(link.target) : label;
  return link.kind === "bare" ? renderBare(goal, resolver) : renderLabelled(link, goal, label, resolver);
}

function renderLabelled(link: Link, { address, title }: ResolvedLink, label: string, resolver: Resolver): string {
  const attributes = {
    class: link.kind === "document" ? "docLink" : undefined,
    href: address,
    rel: link.kind === "mailto" ? undefined : relOf(address, resolver),
    target: opensNewWindow(link) ? "_blank" : undefined,
  };
  return element("a", attributes, label === "" ? escapeHtml(title) : label);
}

/** Longer addresses are cut and shown whole in the title (real, 19 cases, wiki-syntax 3.3). */
const SHOWN_CHARACTERS = 40;

function renderBare({ address, title }: ResolvedLink, resolver: Resolver): string {
  const characters = Array.from(title);
  const cut = characters.length > SHOWN_CHARACTERS;
  const shown = cut ? `${characters.slice(0, SHOWN_CHARACTERS).join("")}...` : title;
  // The site escapes an ampersand twice in the title, once in the address (real, wiki-syntax 3.3).
  const hint = cut ? escapeHtml(address) : undefined;
  return element("a", { href: address, rel: relOf(address, resolver), title: hint }, escapeHtml(shown));
}

/**
 * An image in its box: `div.imageBox > img` and a caption (style sheets of the vendor, wiki-syntax
 * 2.4).
 */
function renderImageBox(image: Image, resolver: Resolver): string {
  const align = parameterOf(image, "align") ?? "left";
  const caption = imageFile(image, resolver)?.caption;
  const below = caption === undefined ? "" : element("p", {}, escapeHtml(caption));
  return element("div", { class: `imageBox imageBox_${align}` }, renderImage(image, resolver) + below);
}

/** An image among words. Without a look-up it has no address, and only its id says which it is. */
function renderImage(image: Image, resolver: Resolver): string {
  const file = imageFile(image, resolver);
  return voidElement("img", { class: sizeOf(image), src: file?.address, "data-imageid": image.target.trim(), alt: "" });
}

function imageFile(image: Image, resolver: Resolver): ReturnType<Resolver["image"]> {
  return resolver.image(image.target.trim(), sizeOf(image));
}

/** `standard` is the site's default (the vendor's tree, wiki-syntax 4.1). */
function sizeOf(image: Image): string {
  return parameterOf(image, "size") ?? "standard";
}

/** A video in its box (real for YouTube, wiki-syntax 3.4). */
function renderVideo(video: Video, resolver: Resolver): string {
  const target = video.target.trim();
  const found = readVideoAddress(target);
  const player = found === undefined ? ownPlayer(target, resolver) : PLAYERS[found.service](found);
  const align = parameterOf(video, "align") ?? "center";
  const size = parameterOf(video, "size") ?? "large";
  const frame = { class: `${size} videoFrame videoBox_${align}`, style: "width:570px" };
  return element("div", frame, element("div", { class: "videoBox" }, player));
}

const SCREEN = { width: "560", height: "315" } as const;

const PLAYERS: Readonly<Record<ServiceVideo["service"], (video: ServiceVideo) => string>> = {
  youtube: ({ id }) => {
    const style = `background-image:url("https://i.ytimg.com/vi/${id}/hqdefault.jpg")`;
    const src = `https://www.youtube-nocookie.com/embed/${id}?wmode=opaque`;
    return element("div", { videoid: id, class: "youtube-player", src, style, ...SCREEN }, "");
  },
  vimeo: ({ id }) => element("iframe", { src: `https://player.vimeo.com/video/${id}`, ...SCREEN }, ""),
};

/**
 * A video that the site keeps itself (`<video poster><source>`, style sheets of the vendor), or one
 * at a service that nobody knows.
 */
function ownPlayer(target: string, resolver: Resolver): string {
  if (isSafe(target)) return element("video", { controls: "", src: target, ...SCREEN }, "");
  const file = resolver.video(target);
  const source = file === undefined ? "" : voidElement("source", { src: file.address });
  return element("video", { controls: "", poster: file?.poster, "data-videoid": target, ...SCREEN }, source);
}

/**
 * A video among words, where no box may stand: a link, or its source where nobody knows where it
 * is.
 */
function renderVideoLink(video: Video, { video: find }: Resolver): string {
  const target = video.target.trim();
  const href = isSafe(target) ? target : find(target)?.address;
  return href === undefined ? escapeHtml(print(video)) : element("a", { href }, escapeHtml(target));
}

/**
 * The grid of a guide list (style sheets of the vendor); what it lists is known to the site only.
 */
function renderGuideList(list: GuideList): string {
  const choice = { "data-tags": parameterOf(list, "tags"), "data-type": parameterOf(list, "type") };
  return element("div", { class: "blurbListWide", ...choice }, element("div", { class: "grid" }, ""));
}

/** What a handler knows beside its node. */
interface SiteContext {
  readonly resolver: Resolver;
  /**
   * Whether images, videos and lists may be shown in their boxes, which are blocks: not inside of a
   * paragraph, a heading or a label.
   */
  readonly boxes: boolean;
}
