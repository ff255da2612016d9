import { line, page, paragraph } from "../wiki/build.js";
import { parse } from "../wiki/parse.js";
import { print } from "../wiki/print.js";
import type { Block, Inline } from "../wiki/tree.js";
import { childrenOf, type Node } from "../wiki/tree-walk.js";
import { shapeOf } from "./shape.js";

/** Whether the printed blocks say to the parser what the blocks say. */
export function blocksReadBack(blocks: readonly Block[]): boolean {
  const { children } = parse(print(page(blocks)), { context: "page" }).tree;
  return sayTheSame(blocks, children);
}

/** The same for the inlines of a step line. */
export function lineReadsBack(inlines: readonly Inline[]): boolean {
  const { children } = parse(print(line(inlines)), { context: "line" }).tree;
  return sayTheSame([paragraph(inlines)], [paragraph(children)]);
}

/** Bare addresses are text in a shape, so they are compared apart: an address in a text may be read as one more of them. */
function sayTheSame(written: readonly Block[], read: readonly Block[]): boolean {
  if (shapeOf(read) !== shapeOf(written)) return false;
  const found = read.flatMap(bareAddresses);
  let next = 0;
  return written.flatMap(bareAddresses).every((address) => {
    next = found.indexOf(address, next) + 1;
    return next > 0;
  });
}

function bareAddresses(node: Node): readonly string[] {
  if (node.type === "link" && node.kind === "bare") return [node.target];
  return childrenOf(node).flatMap(bareAddresses);
}
