import type { Block, Position } from "../tree.js";
import type { Source } from "./source.js";

/** The part of a text whose blocks are read: all of it, or what is inside of a quote. */
export interface BlockRange {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

/** Where a block may begin. */
export interface BlockPlace extends BlockRange {
  /** The first character of the line, or of what another block left of it, that is no blank. */
  readonly at: number;
}

/** A block as its rule reads it: with its position. The spacing before it is known later, and set where the block is added. */
export type ReadBlock = Block & { readonly position: Position; before: string };

/** Reads the blocks of a range; `end` is where the last one ends. */
export type BlockReader = (
  source: Source,
  range: BlockRange,
) => { readonly blocks: readonly Block[]; readonly end: number };

/** Reads the block that begins at a place; undefined when there is none of its kind. `readInner` reads the blocks inside of it. */
export type BlockRule = (source: Source, place: BlockPlace, readInner: BlockReader) => ReadBlock | undefined;
