import type { List, ListItem } from "mdast";
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
import { lineBreak, text } from "../wiki/build-inlines.js";
import type { Block } from "../wiki/tree.js";
import { BREAK } from "./raw-wiki.js";
import { readLine } from "./read-line.js";
import { type Flow, type Reading, tellAt } from "./reading.js";

/** Reads a block of any other kind. */
export type ReadBlock = (node: Flow, reading: Reading) => readonly Block[];

/** The items of a list, with what does not fit into them; `depth` is that of the list among lists. */
export function readItems(node: List, reading: Reading, read: ReadBlock, depth = 1): readonly ReadItem[] {
  if (node.ordered === true) tellStart(node.start, tellAt(reading, node));
  return node.children.flatMap((item) => readItem(item, reading, read, depth));
}

function readItem(node: ListItem, reading: Reading, read: ReadBlock, depth: number): readonly ReadItem[] {
  const parts = itemParts();
  for (const child of node.children) readChild(parts, child, { reading, read, depth });
  const tell = tellAt(reading, node);
  if (typeof node.checked === "boolean") {
    tell("task-list", "loss", "Wiki text has no task lists; the box is text now.");
    parts.lines.unshift([text(node.checked ? "[x] " : "[ ] "), ...parts.lines.splice(0, 1).flat()]);
  }
  return finishItem(parts, tell);
}

interface Given {
  readonly reading: Reading;
  readonly read: ReadBlock;
  readonly depth: number;
}

function readChild(parts: ItemParts, node: Flow, { reading, read, depth }: Given): void {
  const tell = tellAt(reading, node);
  if (node.type === "paragraph" || node.type === "heading") {
    parts.lines.push(readLine(node.children, reading));
    if (node.type === "paragraph") return;
    tell("block-in-item", "loss", "An item of wiki text cannot hold a heading; it is a line of the item.");
  } else if (node.type === "html" && node.value.trim() === BREAK) {
    parts.lines.push([lineBreak()]);
  } else if (node.type === "list") {
    takeList(parts, node.ordered === true, readItems(node, reading, read, depthInside(depth)), depth, tell);
  } else {
    takeBlocks(parts, read(node, reading), node.type, tell);
  }
}
