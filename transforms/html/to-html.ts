import { print } from "../wiki/print.js";
import { opensNewWindow, parameterOf } from "../wiki/read-tree.js";
import type { Embed, GuideList, Heading, Image, Link, Mark, MarkType, Quote, Tree, Video } from "../wiki/tree.js";
import { createResolver, isSafe, type ResolvedLink, type Resolver, relOf, resolveLink } from "./resolver.js";
import { TreeRenderer } from "./tree-renderer.js";
import { readVideoAddress, type ServiceVideo } from "./video-service.js";
import { element, escapeHtml, sectionId, voidElement } from "./writing.js";

/**
 * Renders a text like a modern Dozuki site: `text_rendered` of a step line,
 * `introduction_rendered`, `contents_rendered` of a page (wiki-syntax 2 and 3). Addresses need
 * `resolver`, or are made of the ids. Shapes without public material are choices: see
 * docs/design/html.md.
 */
export function toHtml(tree: Tree, resolver: Resolver = createResolver()): string {
  const html = RENDERER.tree(tree, { resolver, boxes: tree.type === "page" });
  return html.join(tree.type === "page" ? BETWEEN_BLOCKS : "");
}

/** A blank line, as the site writes it (real, wiki-syntax 2.1). */
const BETWEEN_BLOCKS = "\n\n";

type SiteRenderer = TreeRenderer<string, SiteContext>;

/** The current heading with a link to itself (style sheets of the vendor, wiki-syntax 2.1.1). */
function renderHeading({ level, children }: Heading, context: SiteContext, renderer: SiteRenderer): string {
  const id = sectionId(children);
  const text = element(`h${level}`, { id, class: "header" }, renderer.words(children, context).join(""));
  return element("div", { class: "headerContainer" }, element("a", { class: "selfLink", href: `#${id}` }, "") + text);
}

function renderQuote(quote: Quote, context: SiteContext, renderer: SiteRenderer): string {
  const format = parameterOf(quote, "format");
  const rendered = renderer.blocks(quote.children, context).join(BETWEEN_BLOCKS);
  const name = renderer.words(quote.attribution, context).join("");
  const content = name === "" ? rendered : rendered + BETWEEN_BLOCKS + element("p", { class: "quoted" }, name);
  return element("blockquote", { class: format === "featured" ? format : undefined }, content);
}

/** A guide's card becomes a link, since its HTML is not public. */
function renderAlone(child: Embed["child"], context: SiteContext, renderer: SiteRenderer): readonly string[] {
  const html = renderer.inlines([child], { ...context, boxes: true }).join("");
  return [child.type === "link" ? element("p", {}, html) : html];
}

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

/** Omits an empty mark, the half of one that was cut in two. */
function renderMark(node: Mark, context: SiteContext, renderer: SiteRenderer): readonly string[] {
  const content = renderer.inlines(node.children, context).join("");
  return content === "" ? [] : [element(TAGS[node.type], {}, content)];
}

/** The site's text for a link to a guide that does not exist (real, wiki-syntax 2.3). */
export const DEAD_GUIDE = "[invalid guide link]";

/** `label`: HTML, empty when the link has none. */
function renderLink(link: Link, label: string, resolver: Resolver): string {
  const linkTarget = resolveLink(link, resolver);
  if (linkTarget === "dead") return DEAD_GUIDE;
  if (linkTarget === undefined) return label === "" ? escapeHtml(link.target) : label;
  return link.kind === "bare" ? renderBare(linkTarget, resolver) : renderLabelled(link, linkTarget, label, resolver);
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

/** Longer addresses are cut, and whole in the title (real, 19 cases, wiki-syntax 3.3). */
const SHOWN_CHARACTERS = 40;

function renderBare({ address, title }: ResolvedLink, resolver: Resolver): string {
  const characters = Array.from(title);
  const cut = characters.length > SHOWN_CHARACTERS;
  const shown = cut ? `${characters.slice(0, SHOWN_CHARACTERS).join("")}...` : title;
  // The site escapes an ampersand twice in the title, once in the address (real, wiki-syntax 3.3).
  const hint = cut ? escapeHtml(address) : undefined;
  return element("a", { href: address, rel: relOf(address, resolver), title: hint }, escapeHtml(shown));
}

/** `div.imageBox > img` and a caption (style sheets of the vendor, wiki-syntax 2.4). */
function renderImageBox(image: Image, resolver: Resolver): string {
  const align = parameterOf(image, "align") ?? "left";
  const caption = imageFile(image, resolver)?.caption;
  const below = caption === undefined ? "" : element("p", {}, escapeHtml(caption));
  return element("div", { class: `imageBox imageBox_${align}` }, renderImage(image, resolver) + below);
}

/** An inline image. Without a look-up it has only its id, and no address. */
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

/** `<video poster><source>` (style sheets of the vendor), or a video of an unknown service. */
function ownPlayer(target: string, resolver: Resolver): string {
  if (isSafe(target)) return element("video", { controls: "", src: target, ...SCREEN }, "");
  const file = resolver.video(target);
  const source = file === undefined ? "" : voidElement("source", { src: file.address });
  return element("video", { controls: "", poster: file?.poster, "data-videoid": target, ...SCREEN }, source);
}

/** An inline video, where boxes are not allowed: a link, or its source without an address. */
function renderVideoLink(video: Video, { video: find }: Resolver): string {
  const target = video.target.trim();
  const href = isSafe(target) ? target : find(target)?.address;
  return href === undefined ? escapeHtml(print(video)) : element("a", { href }, escapeHtml(target));
}

/** The grid of a guide list (style sheets of the vendor); only the site knows its content. */
function renderGuideList(list: GuideList): string {
  const choice = { "data-tags": parameterOf(list, "tags"), "data-type": parameterOf(list, "type") };
  return element("div", { class: "blurbListWide", ...choice }, element("div", { class: "grid" }, ""));
}

interface SiteContext {
  readonly resolver: Resolver;
  /** Whether boxes are allowed: not inside of a paragraph, a heading or a label. */
  readonly boxes: boolean;
}

const RENDERER = new TreeRenderer<string, SiteContext>({
  words: escapeHtml,
  // Without blanks between the tags (real, wiki-syntax 2.1).
  element: (name, children) => element(name, {}, children.join("")),
  amongWords: (context) => ({ ...context, boxes: false }),
  inItem: (context) => ({ ...context, boxes: true }),
  alone: renderAlone,
  handlers: {
    heading: (heading, context, renderer) => [renderHeading(heading, context, renderer)],
    // HTML drops a line end right after the tag, so one more is written.
    codeBlock: ({ value }) => [element("pre", {}, (value.startsWith("\n") ? "\n" : "") + escapeHtml(value))],
    quote: (quote, context, renderer) => [renderQuote(quote, context, renderer)],
    mark: renderMark,
    // A line end after it in the text belongs to it and shows nothing.
    break: () => [voidElement("br")],
    link: (node, context, renderer) => [
      renderLink(node, renderer.words(node.children, context).join(""), context.resolver),
    ],
    image: (node, { resolver, boxes }) => [(boxes ? renderImageBox : renderImage)(node, resolver)],
    video: (node, { resolver, boxes }) => [(boxes ? renderVideo : renderVideoLink)(node, resolver)],
    guideList: (node, { boxes }) => [boxes ? renderGuideList(node) : escapeHtml(print(node))],
  },
});
