import { afterQuote, beforeBlock, itemMark } from "./print-join.js";
import type {
  Block,
  Break,
  Embed,
  Heading,
  Image,
  Inline,
  Line,
  Link,
  List,
  ListItem,
  Mark,
  Page,
  PageMacro,
  Paragraph,
  Parameter,
  Quote,
  Tree,
} from "./tree.js";

export type Printable = Tree | Block | ListItem | Inline;

/** What a node's own fields do not say: where it stands. */
export interface Place {
  /** The marker of the item around it. */
  readonly marker: string;
  /** The default behind a forced break. */
  readonly breakAfter: string;
}

export type Part = string | { readonly node: Printable; readonly place: Place };

/** Where a node stands that is printed on its own. */
export const TOP: Place = { marker: "", breakAfter: "" };

const IN_PARAGRAPH: Place = { marker: "", breakAfter: "\n" };

type Handler<Type extends Printable["type"]> = (
  node: Extract<Printable, { readonly type: Type }>,
  place: Place,
) => readonly Part[];

/** What each node writes: its strings and its children in their order. A block's `before` is written by its parent. */
export const PARTS: { readonly [Type in Printable["type"]]: Handler<Type> } = {
  page: (node: Page) => [...blocks(node.children, ""), node.after ?? ""],
  line: (node: Line) => inlines(node.children, TOP),
  paragraph: (node: Paragraph) => inlines(node.children, IN_PARAGRAPH),
  heading: (node: Heading) => [node.open, ...inlines(node.children, TOP), node.close],
  list: listParts,
  listItem: listItemParts,
  codeBlock: (node) => [node.open, node.value, node.close],
  quote: quoteParts,
  embed: (node: Embed) => [{ node: node.child, place: TOP }],
  pageMacro: (node: PageMacro) => [node.open, node.value, ...parameters(node.parameters), node.close],
  text: (node) => [node.value],
  strong: markParts,
  emphasis: markParts,
  underline: markParts,
  strike: markParts,
  superscript: markParts,
  subscript: markParts,
  code: markParts,
  break: (node: Break, place) => [node.open, node.after ?? place.breakAfter],
  link: linkParts,
  image: mediaParts,
  video: mediaParts,
  guideList: mediaParts,
  opaque: (node) => [node.value],
};

function blocks(children: readonly Block[], first: string): readonly Part[] {
  return children.flatMap((node, index) => [beforeBlock(node, children[index - 1], first), { node, place: TOP }]);
}

function inlines(children: readonly Inline[], place: Place): readonly Part[] {
  return children.map((node) => ({ node, place }));
}

function listParts(node: List, { marker }: Place): readonly Part[] {
  const place = { marker: itemMark(node, marker), breakAfter: "" };
  return node.children.flatMap((item, index) => [item.before ?? (index > 0 ? "\n" : ""), { node: item, place }]);
}

function listItemParts(node: ListItem, place: Place): readonly Part[] {
  const marker = node.marker ?? place.marker;
  const nested = node.lists.flatMap((list) => [list.before ?? "\n", { node: list, place: { marker, breakAfter: "" } }]);
  return [marker, node.space, ...inlines(node.children, TOP), ...nested];
}

function quoteParts(node: Quote): readonly Part[] {
  const attribution = [
    ...parameters(node.leading),
    node.bar,
    ...inlines(node.attribution, TOP),
    ...parameters(node.parameters),
  ];
  const body = [...blocks(node.children, "\n"), node.after ?? afterQuote(node)];
  return [node.open, ...attribution, node.openEnd, ...body, node.close];
}

function markParts(node: Mark, place: Place): readonly Part[] {
  return [node.open, ...inlines(node.children, place), node.close];
}

function linkParts(node: Link): readonly Part[] {
  const label = [node.bar, ...inlines(node.children, TOP)];
  return [node.open, node.target, ...parameters(node.leading), ...label, ...parameters(node.parameters), node.close];
}

function mediaParts(node: Image | Extract<Inline, { readonly type: "video" | "guideList" }>): readonly Part[] {
  return [node.open, node.target, ...parameters(node.parameters), node.close];
}

function parameters(all: readonly Parameter[]): readonly Part[] {
  return all.flatMap(({ before, name, equals, value }) => [before, name, equals, value]);
}
