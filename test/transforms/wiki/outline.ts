import { childrenOf, type Node } from "../../../transforms/wiki/read-tree.js";
import type { Block, Inline, ListItem, Parameter, Tree } from "../../../transforms/wiki/tree.js";

/**
 * A tree as a person reads it: one node a line, what is inside of it further right. Spacing and
 * markers are left out.
 */
export function outline(node: Node, depth = 0): string {
  const inner = childrenOf(node).map((child) => outline(child, depth + 1));
  return [`${"  ".repeat(depth)}${titleOf(node)}`, ...inner].join("\n");
}

function titleOf(node: Node): string {
  return (TITLES[node.type] as ((node: Node) => string) | undefined)?.(node) ?? node.type;
}

type Titles = {
  readonly [Type in Node["type"]]?: (node: Extract<Tree | Block | ListItem | Inline, { type: Type }>) => string;
};

const TITLES: Titles = {
  text: ({ value }) => `text ${JSON.stringify(value)}`,
  opaque: ({ keyword, value }) => `opaque ${keyword} ${JSON.stringify(value)}`,
  heading: ({ level }) => `heading ${level}`,
  list: ({ ordered }) => (ordered ? "numbered list" : "bullet list"),
  listItem: () => "item",
  codeBlock: ({ value }) => `code block ${JSON.stringify(value)}`,
  quote: (node) =>
    `quote of ${node.attribution.length} and ${node.children.length}${parameters([...node.leading, ...node.parameters])}`,
  pageMacro: (node) => `page macro ${node.name} ${JSON.stringify(node.value)}${parameters(node.parameters)}`,
  link: (node) =>
    `link ${node.kind} ${JSON.stringify(node.target)}${parameters([...node.leading, ...node.parameters])}`,
  image: (node) => `image ${node.target}${parameters(node.parameters)}`,
  video: (node) => `video ${node.target}${parameters(node.parameters)}`,
  guideList: (node) => `guide list${parameters(node.parameters)}`,
};

function parameters(all: readonly Parameter[]): string {
  return all.map(({ name, value }) => ` ${name}=${JSON.stringify(value)}`).join("");
}
