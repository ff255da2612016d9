import { paragraph, quote } from "../wiki/build.js";
import { text } from "../wiki/build-inlines.js";
import type { Block, Inline } from "../wiki/tree.js";
import { lineInlinesOf } from "./read-inlines.js";
import { readLeaves } from "./read-leaves.js";
import { type ReadNode, readNode } from "./read-node.js";
import { report, type Spot } from "./reading.js";

/** Reads blocks; `first` is the place of the first in its parent, by default 0. */
export type ReadBlocks = (content: readonly unknown[], spot: Spot, first?: number) => readonly Block[];

/** A quote with its name and style. One in another gives its blocks, and its name as a line behind them. */
export function readQuote({ attributes, content }: ReadNode, spot: Spot, read: ReadBlocks): readonly Block[] {
  const attribution = readAttribution(attributes["attribute"], spot);
  const children = read(content, { ...spot, quoted: true });
  if (!spot.quoted) return [quote(children, { attribution, format: formatOf(attributes["format"], spot) })];
  report(spot, "quote-in-quote", "loss", "Quotes do not nest in wiki text; what the inner one holds is kept.");
  return attribution.length > 0 ? [...children, paragraph([text("— "), ...attribution])] : children;
}

/** The vendor stores a paragraph, null, or the word "null" (wiki-syntax 2.1). */
function readAttribution(attribute: unknown, spot: Spot): readonly Inline[] {
  if (attribute === "null" || attribute === null || attribute === undefined) return [];
  const node = readNode(nodeOf(attribute));
  return lineInlinesOf(readLeaves(node.kind === "text" ? [node] : node.content, spot), spot);
}

/** The paragraph may also come as its JSON; a text that is none is a name. */
function nodeOf(attribute: unknown): unknown {
  if (typeof attribute !== "string" || !attribute.startsWith('{"')) return attribute;
  try {
    return JSON.parse(attribute);
  } catch (error) {
    if (error instanceof SyntaxError) return attribute;
    throw error;
  }
}

function formatOf(format: unknown, spot: Spot): string {
  if (format === undefined || format === null || format === "") return "long";
  if (typeof format === "string" && /^[\w-]+$/.test(format)) return format;
  report(spot, "quote-format", "loss", `A quote cannot have the format ${JSON.stringify(format)}; it is left out.`);
  return "long";
}
