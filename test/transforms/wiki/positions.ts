import { print } from "../../../transforms/wiki/print.js";
import { childrenOf } from "../../../transforms/wiki/read-tree.js";
import type { Block, Inline, ListItem, Tree } from "../../../transforms/wiki/tree.js";

type Node = Tree | Block | ListItem | Inline;

/**
 * What is wrong with the positions of a tree that was read from `text`: each must name the text
 * that its node prints.
 */
export function positionErrors(tree: Tree, text: string): readonly string[] {
  const errors: string[] = [];
  const visit = (node: Node): void => {
    const { position } = node;
    if (position === undefined) errors.push(`${node.type} has no position`);
    else if (text.slice(position.start, position.end) !== print(node)) errors.push(`${node.type} at ${position.start}`);
    childrenOf(node).forEach(visit);
  };
  visit(tree);
  return errors;
}
