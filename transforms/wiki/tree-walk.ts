import type { Block, Inline, ListItem, Tree } from "./tree.js";

/** Any node of a tree. */
export type Node = Tree | Block | ListItem | Inline;

/** The nodes directly inside of a node, in the order in which they are written. */
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
