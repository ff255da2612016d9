import type { Block } from "../tree.js";
import type { BlockRange, BlockReader, BlockRule, ReadBlock } from "./block-rule.js";
import { skipBlanks, UNIT } from "./characters.js";
import { readCodeBlock } from "./code-block.js";
import { readEmbed } from "./embed.js";
import { readHeading } from "./heading.js";
import { readList } from "./list.js";
import { readPageMacro } from "./page-macro.js";
import { readParagraph } from "./paragraph.js";
import { readQuote } from "./quote.js";
import { lineFrom, report, type Source } from "./source.js";

/** The blocks by their first character, in the order in which they are tried. What none of them reads is a paragraph. */
const RULES: ReadonlyMap<number, readonly BlockRule[]> = new Map([
  [UNIT.equals, [readHeading]],
  [UNIT.star, [readList]],
  [UNIT.hash, [readList]],
  [UNIT.open, [readCodeBlock, readQuote, readPageMacro, readEmbed]],
]);

interface Reading {
  readonly source: Source;
  readonly range: BlockRange;
  readonly blocks: Block[];
  /** Where the last block ends. */
  settled: number;
  /** The lines of a paragraph that may go on. */
  paragraph: { readonly start: number; end: number } | undefined;
}

/** Reads blocks line by line. */
export const readBlocks: BlockReader = (source, range) => {
  const reading: Reading = { source, range, blocks: [], settled: range.start, paragraph: undefined };
  let at = range.start;
  while (at < range.end) at = readAt(reading, at);
  endParagraph(reading);
  return { blocks: reading.blocks, end: reading.settled };
};

function readAt(reading: Reading, at: number): number {
  const { source, range } = reading;
  const { textEnd, next } = lineFrom(source, at, range.end);
  const first = skipBlanks(source.text, at, textEnd);
  const block = first < textEnd ? readBlock(source, range, first) : undefined;
  if (block === undefined && first < textEnd) {
    addLine(reading, at, textEnd);
    return next;
  }
  endParagraph(reading);
  if (block === undefined) return next;
  addBlock(reading, block);
  return block.position.end;
}

function readBlock(source: Source, { start, end, quoted }: BlockRange, at: number): ReadBlock | undefined {
  const rules = RULES.get(source.text.charCodeAt(at));
  if (rules === undefined) return undefined;
  const place = { start, end, quoted, at };
  for (const rule of rules) {
    const block = rule(source, place, readBlocks);
    if (block !== undefined) return block;
  }
  return undefined;
}

function addLine(reading: Reading, start: number, end: number): void {
  if (reading.paragraph === undefined) reading.paragraph = { start, end };
  else reading.paragraph.end = end;
}

function endParagraph(reading: Reading): void {
  const { source, paragraph } = reading;
  if (paragraph === undefined) return;
  reading.paragraph = undefined;
  if (followsBlock(reading, paragraph.start)) report(source, "text-after-block", paragraph.start, paragraph.end);
  for (const block of readParagraph(source, paragraph.start, paragraph.end)) addBlock(reading, block);
}

function addBlock(reading: Reading, block: ReadBlock): void {
  // Set and not copied: half of the time of reading a long page went into copies of its blocks.
  block.before = reading.source.text.slice(reading.settled, block.position.start);
  reading.blocks.push(block);
  reading.settled = block.position.end;
}

const ENDS_WITH_LINE: ReadonlySet<Block["type"] | undefined> = new Set(["heading", "list", "codeBlock", "quote"]);

/** Whether no blank line parts a paragraph from a block that ends with its line. */
function followsBlock({ source, blocks, settled }: Reading, start: number): boolean {
  if (!ENDS_WITH_LINE.has(blocks.at(-1)?.type)) return false;
  const gap = source.text.slice(settled, start);
  return gap.indexOf("\n") === gap.lastIndexOf("\n");
}
