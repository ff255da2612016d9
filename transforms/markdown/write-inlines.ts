import type { Html, PhrasingContent } from "mdast";
import { isBlank } from "../settle/blanks.js";
import { print } from "../wiki/print.js";
import type { Inline, Link, Mark } from "../wiki/tree.js";
import { ALTERNATIVES, linkAddress, type Media, mediaAddress } from "./addresses.js";
import { BREAK, DIVIDER, RAW_INLINE } from "./raw-wiki.js";

/** Running text as Markdown nodes. */
export function writeInlines(inlines: readonly Inline[]): PhrasingContent[] {
  const nodes = inlines.flatMap((inline) => {
    const write = HANDLERS[inline.type] as (inline: Inline) => PhrasingContent[];
    return write(inline);
  });
  // Markdown has forced breaks between texts only.
  return nodes.map((node, at) => {
    const between = nodes[at - 1]?.type === "text" && nodes[at + 1]?.type === "text";
    return node.type === "break" && !between ? html(BREAK) : node;
  });
}

/** Running text on one line: a heading's. */
export function writeLine(inlines: readonly Inline[]): PhrasingContent[] {
  return writeInlines(inlines).map(withoutBreaks);
}

function withoutBreaks(node: PhrasingContent): PhrasingContent {
  if (node.type === "break") return html(BREAK);
  return "children" in node ? ({ ...node, children: node.children.map(withoutBreaks) } as PhrasingContent) : node;
}

type Handler<Type extends Inline["type"]> = (inline: Extract<Inline, { readonly type: Type }>) => PhrasingContent[];

const HANDLERS: { readonly [Type in Inline["type"]]: Handler<Type> } = {
  text: ({ value }) => [{ type: "text", value }],
  opaque: ({ value }) => [{ type: "text", value }],
  break: () => [{ type: "break" }],
  strong: ({ children }) => under(children, (inner) => [{ type: "strong", children: inner }]),
  emphasis: ({ children }) => under(children, (inner) => [{ type: "emphasis", children: inner }]),
  strike: ({ children }) => under(children, (inner) => [{ type: "delete", children: inner }]),
  underline: tagged("u"),
  superscript: tagged("sup"),
  subscript: tagged("sub"),
  code: writeCode,
  link: writeLink,
  image: writeMedia,
  video: writeMedia,
  guideList: writeMedia,
};

/** A mark around nothing shows nothing, and Markdown has no form for it. */
function under(children: readonly Inline[], wrap: (inner: PhrasingContent[]) => PhrasingContent[]): PhrasingContent[] {
  const inner = writeInlines(children);
  return inner.length > 0 ? wrap(inner) : [];
}

function tagged(name: string): (inline: Mark) => PhrasingContent[] {
  return ({ children }) => under(children, (inner) => [html(`<${name}>`), ...inner, html(`</${name}>`)]);
}

/** Markdown's own code holds text on one line; the wiki's may hold more. */
function writeCode(mark: Mark): PhrasingContent[] {
  const value = mark.children.map((child) => (child.type === "text" ? child.value : "\n")).join("");
  if (isBlank(value) || value.includes("\n")) return tagged("code")(mark);
  return [{ type: "inlineCode", value }];
}

function writeLink(link: Link): PhrasingContent[] {
  const address = linkAddress(link);
  if (address === undefined) return rawInline(print(link));
  const shown = link.kind === "mailto" ? link.target : address.url;
  const label = writeInlines(link.children);
  const children: PhrasingContent[] = label.length > 0 ? label : [{ type: "text", value: shown }];
  const [only] = children;
  const looksBare = children.length === 1 && only?.type === "text" && only.value === shown;
  const isBare = link.kind === "bare" || (label.length === 0 && link.kind !== "url");
  return [{ type: "link", ...address, children: looksBare && !isBare ? [...children, html(DIVIDER)] : children }];
}

function writeMedia(media: Media): PhrasingContent[] {
  const address = mediaAddress(media);
  return address === undefined
    ? rawInline(print(media))
    : [{ type: "image", ...address, alt: ALTERNATIVES[media.type] }];
}

/** Wiki text that stands in running text as it is. */
export function rawInline(source: string): PhrasingContent[] {
  return [html(RAW_INLINE.open), { type: "text", value: source }, html(RAW_INLINE.close)];
}

function html(value: string): Html {
  return { type: "html", value };
}
