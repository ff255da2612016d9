import type { createHash } from "node:crypto";
import { damage } from "./damage.js";

export const NEWLINE = 0x0a;
/** A row of a foreign repository; one of ours has some hundred bytes. */
const LONGEST = 1024 * 1024;

/** A line where it lies in its block, so that passing over it costs no object. Its end is not among its bytes. */
export class Line {
  block: Buffer = Buffer.alloc(0);
  start = 0;
  end = 0;

  /** Becomes another one. */
  take({ block, start, end }: Line): void {
    this.block = block;
    this.start = start;
    this.end = end;
  }

  bytes(): Buffer {
    return this.block.subarray(this.start, this.end);
  }
}

/** Goes from line to line; is the line that it stands on. */
export class LineCursor extends Line {
  readonly #blocks: AsyncGenerator<Buffer>;
  #next = 0;
  /** Of the line, from 1; 0: it stands before the first one. */
  number = 0;
  isAtEnd = false;

  /** `blocks`: whole lines, see blocksOf. */
  constructor(blocks: AsyncGenerator<Buffer>) {
    super();
    this.#blocks = blocks;
  }

  /** To the next line of the block. false: there is none, and `refill` is to be awaited: thousands of lines need no turn of their own. */
  step(): boolean {
    if (this.#next >= this.block.length) return false;
    this.start = this.#next;
    this.end = this.block.indexOf(NEWLINE, this.start);
    this.#next = this.end + 1;
    this.number += 1;
    return true;
  }

  /** To the first line of the next block. false: there is none. */
  async refill(): Promise<boolean> {
    const { done, value } = await this.#blocks.next();
    this.isAtEnd = done === true;
    if (done === true) return false;
    this.block = value;
    this.#next = 0;
    return this.step();
  }

  /** Lets go of what the lines come from. */
  async close(): Promise<void> {
    await this.#blocks.return(undefined);
  }
}

/** Whole lines together, as they come. Throws ArchiveError (exit 6) where a line has no end. */
export async function* blocksOf(pieces: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    const end = piece.lastIndexOf(NEWLINE) + 1;
    if (end > 0) yield rest.length === 0 ? piece.subarray(0, end) : Buffer.concat([rest, piece.subarray(0, end)]);
    rest = end > 0 ? piece.subarray(end) : Buffer.concat([rest, piece]);
    if (rest.length > LONGEST) throw damage(`${name} has a row without an end.`);
  }
  if (rest.length > 0) throw damage(`${name} ends within a row.`);
}

/** The same pieces, hashed as they pass. */
export async function* hashed(
  pieces: AsyncIterable<Buffer>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
}
