import type { Definition, Link, PhrasingContent, Reference, Text } from "mdast";
import { lineBreak, text } from "../wiki/build-inlines.js";
import type { Inline, MarkType } from "../wiki/tree.js";
import { NEW_WINDOW } from "./addresses.js";
import { type Anchor, type Element, elementsIn } from "./inline-tags.js";
import { markOver } from "./mark-over.js";
import { rawInlines } from "./raw-inlines.js";
import { RAW_INLINE } from "./raw-wiki.js";
import { readImage } from "./read-image.js";
import { readInlineHtml } from "./read-inline-html.js";
import { readLink } from "./read-link.js";
import { footnoteNumber, type Reading, tellAt } from "./reading.js";

/** Running text. HTML elements, which Markdown has as single tags between other nodes, are marks and links where the wiki syntax has them. */
export function readInlines(nodes: readonly PhrasingContent[], reading: Reading): readonly Inline[] {
  const elements = elementsIn(nodes);
  const inlines: Inline[] = [];
  let next = 0;
  nodes.forEach((node, at) => {
    if (at < next) return;
    const element = elements.get(at);
    next = (element?.end ?? at) + 1;
    const read =
      element === undefined ? readNode(node, reading) : readElement(element, nodes.slice(at, element.end), reading);
    for (const inline of read) inlines.push(inline);
  });
  return inlines;
}

/** `nodes` begins with the opening tag. */
function readElement({ means }: Element, nodes: readonly PhrasingContent[], reading: Reading): readonly Inline[] {
  const [tag, ...inside] = nodes;
  if (typeof means !== "string") return readAnchor(means, tag, inside, reading);
  const isRaw = tag?.type === "html" && tag.value === RAW_INLINE.open;
  if (isRaw && inside.every(isText)) return rawInlines(inside.map(({ value }) => value).join(""), reading.context);
  return readUnder(means, inside, reading);
}

/** An address in it, which Markdown links by itself, is its label. */
function readAnchor(
  { url, newWindow }: Anchor,
  tag: PhrasingContent | undefined,
  inside: readonly PhrasingContent[],
  reading: Reading,
): readonly Inline[] {
  const children = inside.flatMap((node) => (node.type === "link" ? node.children : [node]));
  const title = newWindow ? NEW_WINDOW : null;
  const node: Link = { type: "link", url, title, children, ...(tag?.position ? { position: tag.position } : {}) };
  return readLink(node, node, readInlines(children, reading), reading);
}

function isText(node: PhrasingContent): node is Text {
  return node.type === "text";
}

function readUnder(mark: MarkType, nodes: readonly PhrasingContent[], reading: Reading): readonly Inline[] {
  const inside = readInlines(nodes, { ...reading, marks: new Set([...reading.marks, mark]) });
  return markOver(mark, inside, reading.marks);
}

function readNode(node: PhrasingContent, reading: Reading): readonly Inline[] {
  const read = HANDLERS[node.type] as (node: PhrasingContent, reading: Reading) => readonly Inline[];
  return read(node, reading);
}

type Handler<Type extends PhrasingContent["type"]> = (
  node: Extract<PhrasingContent, { readonly type: Type }>,
  reading: Reading,
) => readonly Inline[];

const HANDLERS: { readonly [Type in PhrasingContent["type"]]: Handler<Type> } = {
  text: ({ value }) => [text(value)],
  break: () => [lineBreak()],
  strong: ({ children }, reading) => readUnder("strong", children, reading),
  emphasis: ({ children }, reading) => readUnder("emphasis", children, reading),
  delete: ({ children }, reading) => readUnder("strike", children, reading),
  inlineCode: ({ value }, { marks }) => markOver("code", [text(value)], marks),
  html: readInlineHtml,
  link: (node, reading) => readLink(node, node, readInlines(node.children, reading), reading),
  linkReference: (node, reading) =>
    readLink(node, definitionOf(node, reading), readInlines(node.children, reading), reading),
  image: (node, reading) => readImage(node, node, reading),
  imageReference: (node, reading) => readImage(node, definitionOf(node, reading), reading),
  footnoteReference: (node, reading) => {
    tellAt(reading, node)("footnote", "loss", "Wiki text has no footnotes; this one is a number in brackets.");
    return [text(`[${footnoteNumber(reading, node.identifier)}]`)];
  },
};

/** The parser makes references of defined names only. */
function definitionOf({ identifier }: Reference, { definitions }: Reading): Definition {
  return definitions.get(identifier) as Definition;
}
