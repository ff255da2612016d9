import {
  depthInside,
  finishItem,
  type ItemParts,
  itemParts,
  type ReadItem,
  takeBlocks,
  takeList,
  tellStart,
} from "../settle/list-items.js";
import { lineInlinesOf } from "./read-inlines.js";
import { readLeaves, readLeavesOf, reportUnknown } from "./read-leaves.js";
import { type ReadNode, readNode } from "./read-node.js";
import type { ReadBlocks } from "./read-quote.js";
import { DEEPEST_NODE, inside, type Spot, tellAt } from "./reading.js";
import { stretchEnd } from "./stretch-end.js";
import type { NodeKind } from "./vocabulary.js";

/** The items of a list, with what does not fit into them; `depth` is that of the list among lists. */
export function readItems(node: ReadNode, spot: Spot, read: ReadBlocks, depth = 1): readonly ReadItem[] {
  if (spot.depth > DEEPEST_NODE) {
    const parts = itemParts();
    parts.lines.push(lineInlinesOf(readLeaves(node.content, spot), spot));
    return finishItem(parts, tellAt(spot));
  }
  if (node.kind === "orderedList") tellStart(node.attributes["order"] ?? node.attributes["start"] ?? 1, tellAt(spot));
  return node.content.flatMap((value, index) => {
    const place = inside(spot, index);
    const item = readNode(value);
    if (item.kind === undefined) reportUnknown(item, place);
    const content = item.kind === undefined ? [item.text, ...item.content] : [value];
    return readItem(item.kind === "listItem" ? item.content : content, place, read, depth);
  });
}

function readItem(content: readonly unknown[], spot: Spot, read: ReadBlocks, depth: number): readonly ReadItem[] {
  const parts = itemParts();
  for (let at = 0, end = 0; at < content.length; at = end) {
    end = stretchEnd(content, at);
    const node = readNode(content[at]);
    const take = (node.kind === undefined ? undefined : TAKERS[node.kind]) ?? takeOther;
    take(parts, node, { values: content.slice(at, end), spot: inside(spot, at), around: spot, at, read, depth });
  }
  return finishItem(parts, tellAt(spot));
}

interface Given {
  /** One block, or nodes of running text that stand together. */
  readonly values: readonly unknown[];
  readonly spot: Spot;
  /** The item. */
  readonly around: Spot;
  readonly at: number;
  readonly read: ReadBlocks;
  readonly depth: number;
}

type Taker = (parts: ItemParts, node: ReadNode, given: Given) => void;

const takeRunningText: Taker = ({ lines }, _, { values, spot, around, at }) => {
  const leaves = values.flatMap((value, index) => readLeavesOf(value, inside(around, at + index)));
  if (leaves.length > 0) lines.push(lineInlinesOf(leaves, spot));
};

const takeLine: Taker = ({ lines }, { content }, { spot }) => {
  const leaves = readLeaves(content, spot);
  if (leaves.length > 0) lines.push(lineInlinesOf(leaves, spot));
};

const takeNested: Taker = (parts, node, { spot, read, depth }) => {
  const items = readItems(node, spot, read, depthInside(depth));
  takeList(parts, node.kind === "orderedList", items, depth, tellAt(spot));
};

const takeOther: Taker = (parts, { type }, { values, spot, around, at, read }) => {
  takeBlocks(parts, read(values, around, at), type, tellAt(spot));
};

const TAKERS: Readonly<Partial<Record<NodeKind, Taker>>> = {
  text: takeRunningText,
  break: takeRunningText,
  image: takeRunningText,
  paragraph: takeLine,
  heading: (parts, node, given) => {
    takeLine(parts, node, given);
    tellAt(given.spot)(
      "block-in-item",
      "loss",
      "An item of wiki text cannot hold a heading; it is a line of the item.",
    );
  },
  bulletList: takeNested,
  orderedList: takeNested,
};
