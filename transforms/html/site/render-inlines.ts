import { print } from "../../wiki/print.js";
import type { Inline, Mark, MarkType } from "../../wiki/tree.js";
import { element, escapeHtml, voidElement } from "../escape-html.js";
import type { SiteContext } from "./context.js";
import { renderLink } from "./render-link.js";
import { renderGuideList, renderImage, renderImageBox, renderVideo, renderVideoLink } from "./render-media.js";

/** The HTML of words. */
export function renderInlines(inlines: readonly Inline[], context: SiteContext): string {
  let html = "";
  for (const inline of inlines) {
    // A table by type cannot say to the compiler that the handler and the node fit each other.
    const render = HANDLERS[inline.type] as (inline: Inline, context: SiteContext) => string;
    html += render(inline, context);
  }
  return html;
}

type Handlers = {
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

const HANDLERS: Handlers = {
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
