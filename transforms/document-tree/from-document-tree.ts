import { settlePage } from "../settle/settle.js";
import type { Page } from "../wiki/tree.js";
import { readBlocks } from "./read-blocks.js";
import { readNode } from "./read-node.js";
import { report, type Spot, type TreeIssue, tellAt } from "./reading.js";
import { reportAttributes } from "./report-attributes.js";

export interface FromDocumentTree {
  readonly tree: Page;
  /** What the wiki syntax cannot say, and what was changed so that the text says what the document says. */
  readonly issues: readonly TreeIssue[];
}

/**
 * The wiki text of a document tree, of either vocabulary or a mixture of both. Any value is taken: unknown nodes and marks are
 * reported, and the text in them is kept.
 */
export function fromDocumentTree(document: unknown): FromDocumentTree {
  const issues: TreeIssue[] = [];
  const spot: Spot = { reading: { issues }, path: "", depth: 0, quoted: false };
  const node = readNode(document);
  if (node.kind !== "doc") {
    report(spot, "no-document", "error", `A document tree is a node "doc", not ${JSON.stringify(node.type)}.`);
  }
  reportAttributes(document, spot);
  const read = readBlocks(node.kind === "doc" ? node.content : [document], spot);
  const drafts = read.map(({ block, spot: place }) => ({ block, tell: tellAt(place) }));
  return { tree: settlePage(drafts, tellAt(spot)), issues };
}
