import type { CodeBlock, Position, Tree } from "../wiki/tree.js";
import { childrenOf, type Node } from "../wiki/tree-walk.js";
import { isReferring, type ReferringNode } from "./node-goal.js";

/** A node that may refer to something, or code, which does not; and where it stands. */
export interface NodePlace {
  readonly node: ReferringNode | CodeBlock;
  readonly position: Position;
}

/** These nodes in the order of the text, none inside of another: labels hold no links. */
export function placesOf(tree: Tree): readonly NodePlace[] {
  const places: NodePlace[] = [];
  collect(tree, places);
  return places;
}

function collect(node: Node, places: NodePlace[]): void {
  if (node.type === "codeBlock" || isReferring(node)) {
    if (node.position !== undefined) places.push({ node, position: node.position });
    return;
  }
  for (const child of childrenOf(node)) collect(child, places);
}
