import { line, page, paragraph } from "../wiki/build.js";
import { bareAddressesIn } from "../wiki/parse/bare-address.js";
import { parse } from "../wiki/parse.js";
import { print } from "../wiki/print.js";
import type { Block, Inline } from "../wiki/tree.js";
import { childrenOf, type Node } from "../wiki/tree-walk.js";
import { haveOneShape } from "./shape.js";

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

/** Addresses in running text are text in a shape, so they are compared apart: each must be read where it was written, as it was. */
function sayTheSame(written: readonly Block[], read: readonly Block[]): boolean {
  if (!haveOneShape(read, written)) return false;
  const found = read.flatMap(bareAddresses);
  let next = 0;
  return written.flatMap(meantAddresses).every((address) => {
    next = found.indexOf(address, next) + 1;
    return next > 0;
  });
}

function bareAddresses(node: Node): readonly string[] {
  if (node.type === "link") return node.kind === "bare" ? [node.target] : [];
  return childrenOf(node).flatMap(bareAddresses);
}

/** With those in texts, of which the site makes links too, but for one that a bracket makes the beginning of a macro. */
function meantAddresses(node: Node): readonly string[] {
  if (node.type === "text") {
    const { value } = node;
    const spans = bareAddressesIn(value).filter(({ start }) => value.charAt(start - 1) !== "[");
    return spans.map(({ start, end }) => value.slice(start, end));
  }
  if (node.type === "link") return bareAddresses(node);
  return childrenOf(node).flatMap(meantAddresses);
}
