import { listBlocks } from "../settle/list-items.js";
import type { Block } from "../wiki/tree.js";
import { readCode } from "./read-code.js";
import { readHeading } from "./read-heading.js";
import { readItems } from "./read-items.js";
import { readLeaves, readLeavesOf, reportUnknown } from "./read-leaves.js";
import { type ReadNode, readNode } from "./read-node.js";
import { paragraphsOf, readParagraph } from "./read-paragraph.js";
import { readQuote } from "./read-quote.js";
import { DEEPEST_NODE, inside, report, type Spot } from "./reading.js";
import { stretchEnd } from "./stretch-end.js";
import type { NodeKind } from "./vocabulary.js";

/** A block, and the place of the node that it comes from. */
export interface Draft {
  readonly block: Block;
  readonly spot: Spot;
}

/**
 * The blocks of a document or a quote, and of what is unknown. Running text among them makes paragraphs. `first` is the place of
 * the first node in its parent.
 */
export function readBlocks(content: readonly unknown[], spot: Spot, first = 0): readonly Draft[] {
  if (spot.depth > DEEPEST_NODE) return draftsOf(paragraphsOf(readLeaves(content, spot), spot), spot);
  const drafts: Draft[] = [];
  for (let at = 0, end = 0; at < content.length; at = end) {
    end = stretchEnd(content, at);
    const read = readStretch(content.slice(at, end), spot, first + at);
    for (const draft of read) drafts.push(draft);
    if (read.length === 0 && content.length > 1) {
      report(inside(spot, first + at), "empty-node", "note", "A node without content shows nothing; it is left out.");
    }
  }
  return drafts;
}

function readStretch(nodes: readonly unknown[], spot: Spot, first: number): readonly Draft[] {
  const place = inside(spot, first);
  const node = readNode(nodes[0]);
  const read = node.kind === undefined ? readUnknown : READERS[node.kind];
  if (read !== undefined) return read(node, place);
  const leaves = nodes.flatMap((each, at) => readLeavesOf(each, inside(spot, first + at)));
  return draftsOf(paragraphsOf(leaves, place), place);
}

type Reader = (node: ReadNode, spot: Spot) => readonly Draft[];

const readUnknown: Reader = (node, spot) => {
  reportUnknown(node, spot);
  const text = node.text === "" ? [] : [{ type: "text", text: node.text }];
  return readBlocks([...text, ...node.content], spot);
};

/** Running text has no reader: its nodes are read together. */
const READERS: Readonly<Partial<Record<NodeKind, Reader>>> = {
  doc: readUnknown,
  listItem: readUnknown,
  paragraph: (node, spot) => draftsOf(readParagraph(node, spot), spot),
  heading: (node, spot) => draftsOf(readHeading(node, spot), spot),
  bulletList: (node, spot) => draftsOf(listBlocks(false, readItems(node, spot, blocksIn)), spot),
  orderedList: (node, spot) => draftsOf(listBlocks(true, readItems(node, spot, blocksIn)), spot),
  codeBlock: (node, spot) => draftsOf([readCode(node, spot)], spot),
  quote: (node, spot) => draftsOf(readQuote(node, spot, blocksIn), spot),
};

function draftsOf(blocks: readonly Block[], spot: Spot): readonly Draft[] {
  return blocks.map((block) => ({ block, spot }));
}

function blocksIn(content: readonly unknown[], spot: Spot, first?: number): readonly Block[] {
  return readBlocks(content, spot, first).map(({ block }) => block);
}
