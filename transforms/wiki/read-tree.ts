import { heading, list, listItem, paragraph, quote, text } from "./build.js";
import type { Block, Heading, Inline, Link, List, ListItem, Parameter, Quote, Tree } from "./tree.js";

/** A parameter by its lower-case name, without the blanks around it; undefined: absent. */
export function parameterOf(
  node: { readonly leading?: readonly Parameter[]; readonly parameters: readonly Parameter[] },
  name: string,
): string | undefined {
  const found = [...(node.leading ?? []), ...node.parameters].find((each) => each.name.trim().toLowerCase() === name);
  return found?.value.trim();
}

export function opensNewWindow(link: Link): boolean {
  return parameterOf(link, "new_window")?.toLowerCase() === "true";
}

/** The written parts of a wiki link's target: `Topic:Mac mini#Section_Tools`. */
export interface WikiTarget {
  /** `Topic`, before the first colon. Only a word in `NAMESPACE_WORDS` is a namespace. */
  readonly prefix: string | undefined;
  /** Underscores stay. */
  readonly title: string;
  /** Without the hash. */
  readonly section: string | undefined;
}

export function readWikiTarget(target: string): WikiTarget {
  const hash = target.indexOf("#");
  const named = hash < 0 ? target : target.slice(0, hash);
  const colon = named.indexOf(":");
  return {
    prefix: colon < 0 ? undefined : named.slice(0, colon).trim(),
    title: named.slice(colon + 1).trim(),
    section: hash < 0 ? undefined : target.slice(hash + 1).trim(),
  };
}

export type Node = Tree | Block | ListItem | Inline;

/** The nodes directly inside of a node, in written order. */
export function childrenOf(node: Node): readonly Node[] {
  return (CHILDREN[node.type] as (node: Node) => readonly Node[])(node);
}

type Handler<Type extends Node["type"]> = (node: Extract<Node, { readonly type: Type }>) => readonly Node[];

const children = (node: { readonly children: readonly Node[] }): readonly Node[] => node.children;
const none = (): readonly Node[] => [];

const CHILDREN: { readonly [Type in Node["type"]]: Handler<Type> } = {
  page: children,
  line: children,
  paragraph: children,
  heading: children,
  list: children,
  listItem: (node) => [...node.children, ...node.lists],
  codeBlock: none,
  quote: (node) => [...node.attribution, ...node.children],
  embed: (node) => [node.child],
  pageMacro: none,
  text: none,
  strong: children,
  emphasis: children,
  underline: children,
  strike: children,
  superscript: children,
  subscript: children,
  code: children,
  break: none,
  link: children,
  image: none,
  video: none,
  guideList: none,
  opaque: none,
};

/** Text without marks, images and videos; labels stay. */
export function plainText(inlines: readonly Inline[]): string {
  return inlines.map(wordsOf).join("");
}

function wordsOf(node: Inline): string {
  if (node.type === "text" || node.type === "opaque") return node.value;
  if (node.type === "break") return " ";
  if (node.type === "link" && node.children.length === 0) return node.target;
  return "children" in node ? plainText(node.children) : "";
}

/** Changes the inlines of a line or paragraph; `wrap` makes the smallest equivalent block. */
type ChangeInlines = (inlines: readonly Inline[], wrap: (inlines: readonly Inline[]) => Block) => readonly Inline[];

/** Changes all inlines of a block, those of its items and blocks too. Macros stay. */
export function mapInlines(block: Block, change: ChangeInlines): Block {
  const map = HANDLERS[block.type] as (block: Block, change: ChangeInlines) => Block;
  return map(block, change);
}

type BlockHandler<Type extends Block["type"]> = (
  block: Extract<Block, { readonly type: Type }>,
  change: ChangeInlines,
) => Block;

const HANDLERS: { readonly [Type in Block["type"]]: BlockHandler<Type> } = {
  paragraph: (block, change) => ({ ...block, children: change(block.children, paragraph) }),
  heading: (block: Heading, change) => ({
    ...block,
    children: change(block.children, (inlines) => heading(block.level, inlines)),
  }),
  list: mapList,
  codeBlock: (block) => block,
  quote: mapQuote,
  embed: (block) => block,
  pageMacro: (block) => block,
};

function mapList(block: List, change: ChangeInlines): List {
  const wrap = (inlines: readonly Inline[]) => list(block.ordered, [listItem(inlines)]);
  const children = block.children.map((item) => ({
    ...item,
    children: change(item.children, wrap),
    lists: item.lists.map((nested) => mapList(nested, change)),
  }));
  return { ...block, children };
}

/** A body with one meaning. */
const BODY = [paragraph([text("x")])];

function mapQuote(block: Quote, change: ChangeInlines): Quote {
  return {
    ...block,
    attribution: change(block.attribution, (attribution) => quote(BODY, { attribution })),
    children: block.children.map((child) => mapInlines(child, change)),
  };
}
