import type { Leaf, LeafMark, MacroLeaf } from "./leaves.js";
import { leavesOf, trimBlanks } from "./leaves.js";
import { print } from "./print.js";
import type { Block, Inline, Link, List, ListItem, Parameter } from "./tree.js";

/**
 * The meaning of blocks without their notation: equal shapes mean equal texts. Excludes spacing,
 * the choice between forms of one construct, and the order of marks over one stretch. A bare
 * address is its text.
 */
export function shapeOf(blocks: readonly Block[]): string {
  return JSON.stringify(blocks.map(shapeOfBlock));
}

/** Compares by block, item and leaf, so that no shape of a whole text is in memory. */
export function haveOneShape(some: readonly Block[], others: readonly Block[]): boolean {
  return areAlike(some, others, (one, other) => {
    if (one.type === "paragraph" && other.type === "paragraph") {
      return areAlike(shownLeaves(one.children), shownLeaves(other.children), isSameLeaf);
    }
    if (one.type !== "list" || other.type !== "list") return isEqual(shapeOfBlock(one), shapeOfBlock(other));
    return (
      one.ordered === other.ordered &&
      areAlike(one.children, other.children, (item, same) => isEqual(shapeOfItem(item), shapeOfItem(same)))
    );
  });
}

function areAlike<Part>(some: readonly Part[], others: readonly Part[], isAlike: (one: Part, other: Part) => boolean) {
  if (some.length !== others.length) return false;
  return some.every((one, at) => {
    const other = others[at];
    return other !== undefined && isAlike(one, other);
  });
}

function isSameLeaf(one: Leaf, other: Leaf): boolean {
  return isEqual(shapeOfLeaf(one), shapeOfLeaf(other));
}

function isEqual(one: Shape, other: Shape): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

type Shape = readonly unknown[];

function shapeOfBlock(block: Block): Shape {
  const shape = SHAPES[block.type] as (block: Block) => Shape;
  return shape(block);
}

const SHAPES: { readonly [T in Block["type"]]: (block: Extract<Block, { readonly type: T }>) => Shape } = {
  paragraph: ({ children }) => ["text", shapeOfInlines(children)],
  heading: ({ level, children }) => ["heading", level, shapeOfInlines(children)],
  list: shapeOfList,
  codeBlock: ({ value }) => ["code", withOneLineEnd(value)],
  quote: (quote) => [
    "quote",
    shapeOfFields([...quote.leading, ...quote.parameters]).filter((field) => field !== "format=long"),
    shapeOfInlines(quote.attribution),
    quote.children.map(shapeOfBlock),
  ],
  embed: ({ child }) => ["text", shapeOfInlines([child])],
  pageMacro: (macro) => ["macro", print({ ...macro, before: "" })],
};

function shapeOfList({ ordered, children }: List): Shape {
  return ["list", ordered, children.map(shapeOfItem)];
}

function shapeOfItem({ children, lists }: ListItem): Shape {
  return [shapeOfInlines(children), lists.map(shapeOfList)];
}

function shapeOfInlines(inlines: readonly Inline[]): Shape {
  return shownLeaves(inlines).map(shapeOfLeaf);
}

/** No block keeps blanks at its ends. */
function shownLeaves(inlines: readonly Inline[]): readonly Leaf[] {
  return trimBlanks(leavesOf(inlines).map((leaf) => (isBare(leaf) ? textOf(leaf) : leaf)));
}

type BareLeaf = MacroLeaf & { readonly node: Link };

function isBare(leaf: Leaf): leaf is BareLeaf {
  return leaf.type === "macro" && leaf.node.type === "link" && leaf.node.kind === "bare";
}

function textOf({ node, marks }: BareLeaf): Leaf {
  return { type: "text", value: node.target, marks };
}

function shapeOfLeaf(leaf: Leaf): Shape {
  if (leaf.type === "text") return ["text", withOneLineEnd(leaf.value), shapeOfMarks(leaf.marks)];
  if (leaf.type === "break") return ["break"];
  if (leaf.type === "macro") return [...shapeOfMacro(leaf.node), shapeOfMarks(leaf.marks)];
  return ["image", leaf.id, leaf.parameters["align"], leaf.parameters["size"], shapeOfMarks(leaf.marks)];
}

function shapeOfMacro(node: MacroLeaf["node"]): Shape {
  if (node.type !== "link") return [node.type, node.target, shapeOfFields(node.parameters)];
  const fields = shapeOfFields([...node.leading, ...node.parameters]);
  return [node.kind, node.target, shapeOfInlines(node.children), fields];
}

/** In any order; the letter case of a switch is ignored. */
function shapeOfFields(parameters: readonly Parameter[]): readonly string[] {
  const fields = parameters.map(({ name, value }) => `${name.trim().toLowerCase()}=${value.trim()}`);
  return fields.map((field) => (field.startsWith("new_window=") ? field.toLowerCase() : field)).sort();
}

function withOneLineEnd(value: string): string {
  return value.replaceAll(/\r\n?/g, "\n");
}

function shapeOfMarks(marks: readonly LeafMark[]): Shape {
  return marks.map((mark) => (mark.type === "link" ? [mark.href, mark.newWindow] : [mark.type])).sort();
}
