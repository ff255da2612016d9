import { shapeOf } from "../../settle/shape.js";
import { page, paragraph } from "../../wiki/build.js";
import { parse } from "../../wiki/parse.js";
import { print } from "../../wiki/print.js";
import type { Block, TextContext } from "../../wiki/tree.js";
import { childrenOf, type Node } from "../../wiki/tree-walk.js";
import { canonicalBlock } from "./canonical-blocks.js";
import { canonicalInlines } from "./canonical-inlines.js";

/**
 * A text in its canonical spelling, the very same string where it has that already. What a change would make mean something
 * else keeps its spelling: the whole text is read again and compared, then each block for itself.
 */
export function canonicalText(text: string, context: TextContext): string {
  return context === "line" ? canonicalLine(text) : canonicalPage(text);
}

function canonicalLine(text: string): string {
  const { tree } = parse(text, { context: "line" });
  const written = print({ ...tree, children: canonicalInlines(tree.children) });
  const read = parse(written, { context: "line" }).tree;
  return saysTheSame([paragraph(tree.children)], [paragraph(read.children)]) ? written : text;
}

function canonicalPage(text: string): string {
  const { tree } = parse(text, { context: "page" });
  const whole = print(page(tree.children.map(canonicalBlock)));
  if (saysTheSame(tree.children, blocksOf(whole))) return whole;
  const safe = print({ ...tree, children: tree.children.map(safeBlock) });
  return saysTheSame(tree.children, blocksOf(safe)) ? safe : text;
}

/** The block as it was where its canonical spelling reads differently even alone. */
function safeBlock(block: Block): Block {
  const canonical = canonicalBlock(block);
  const isSame = saysTheSame([block], blocksOf(print(page([canonical]))));
  return isSame ? { ...canonical, ...(block.before === undefined ? {} : { before: block.before }) } : block;
}

function blocksOf(text: string): readonly Block[] {
  return parse(text, { context: "page" }).tree.children;
}

/** Shapes leave out what only some readers see: bare addresses, which are text in them, and cards, which are links. */
function saysTheSame(one: readonly Block[], other: readonly Block[]): boolean {
  return shapeOf(one) === shapeOf(other) && seen(one) === seen(other);
}

function seen(blocks: readonly Block[]): string {
  return JSON.stringify(blocks.flatMap(seenIn));
}

function seenIn(node: Node): readonly string[] {
  if (node.type === "link" && node.kind === "bare") return [node.target];
  const own = node.type === "embed" ? ["embed"] : [];
  return [...own, ...childrenOf(node).flatMap(seenIn)];
}
