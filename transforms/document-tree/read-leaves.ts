import type { Leaf, LeafMark } from "../settle/leaf.js";
import { readImage } from "./read-image.js";
import { readMarks } from "./read-marks.js";
import { type ReadNode, readNode } from "./read-node.js";
import { DEEPEST_NODE, inside, report, type Spot } from "./reading.js";

/** Running text. Nodes that are none give theirs, and are reported. */
export function readLeaves(content: readonly unknown[], spot: Spot, around: readonly LeafMark[] = []): readonly Leaf[] {
  if (spot.depth > DEEPEST_NODE) return deepText(content, spot);
  return content.flatMap((value, index) => readLeavesOf(value, inside(spot, index), around));
}

/** The running text of one node. */
export function readLeavesOf(value: unknown, spot: Spot, around: readonly LeafMark[] = []): readonly Leaf[] {
  const node = readNode(value);
  const own = readMarks(node.marks, spot).filter(({ type }) => !around.some((mark) => mark.type === type));
  return readLeaf(node, spot, [...around, ...own]);
}

function readLeaf(node: ReadNode, spot: Spot, marks: readonly LeafMark[]): readonly Leaf[] {
  if (node.kind === "text") return node.text === "" ? [] : [{ type: "text", value: node.text, marks }];
  if (node.kind === "break") return [{ type: "break", marks }];
  if (node.kind === "image") return readImage(node, spot, marks);
  reportUnknown(node, spot);
  const own: readonly Leaf[] = node.text === "" ? [] : [{ type: "text", value: node.text, marks }];
  return [...own, ...readLeaves(node.content, spot, marks)];
}

/** Says that a node was not understood, or stands where the wiki syntax has no place for it. */
export function reportUnknown({ type, kind }: ReadNode, spot: Spot): void {
  if (kind === undefined) {
    report(spot, "unknown-node", "loss", `The wiki syntax has nothing for a node "${type}"; the text in it is kept.`);
  } else {
    report(spot, "misplaced-node", "loss", `A "${type}" cannot stand here in wiki text; the text in it is kept.`);
  }
}

/** All the text below, however deep, in its order. */
function deepText(content: readonly unknown[], spot: Spot): readonly Leaf[] {
  report(spot, "too-deep", "error", `The tree is deeper than ${DEEPEST_NODE} nodes here; only the text below is kept.`);
  const texts: string[] = [];
  const rest = content.toReversed();
  while (rest.length > 0) {
    const node = readNode(rest.pop());
    texts.push(node.text);
    for (const child of node.content.toReversed()) rest.push(child);
  }
  const value = texts.filter((text) => text !== "").join(" ");
  return value === "" ? [] : [{ type: "text", value, marks: [] }];
}
