/**
 * Contents up to this size, in bytes, are packed in one go, and nobody looks at their memory
 * afterwards.
 */
export const AT_ONCE = 1024 * 1024;

/** Of a block, in bytes. */
const BLOCK = 256 * 1024;
/** Blocks that wait to be used again. */
const KEPT = 8;

/**
 * Joins small pieces to blocks of one size, which are used again when they are written: memory that
 * was given back to the system and asked for again for each piece would pile up as garbage, several
 * times what is on its way.
 */
export class Blocks {
  readonly #pass: (bytes: Buffer) => void;
  readonly #free: Buffer[] = [];
  #block: Buffer | undefined;
  #filled = 0;

  /** `pass` takes the blocks, in order. */
  constructor(pass: (bytes: Buffer) => void) {
    this.#pass = pass;
  }

  /** Pieces up to `AT_ONCE` are copied; larger ones go on as they are. */
  add(piece: Buffer): void {
    if (piece.length > AT_ONCE) {
      this.end();
      this.#pass(piece);
      return;
    }
    for (let from = 0; from < piece.length; ) {
      this.#block ??= this.#free.pop() ?? Buffer.allocUnsafeSlow(BLOCK);
      const copied = piece.copy(this.#block, this.#filled, from);
      from += copied;
      this.#filled += copied;
      if (this.#filled === BLOCK) this.end();
    }
  }

  /** Passes on what is not a whole block. */
  end(): void {
    const bytes = this.#block?.subarray(0, this.#filled);
    this.#block = undefined;
    this.#filled = 0;
    if (bytes !== undefined && bytes.length > 0) this.#pass(bytes);
  }

  /**
   * A block that was passed on is written: nobody looks at it any more. What else was passed on may
   * be given, too.
   */
  giveBack(bytes: Buffer): void {
    if (bytes.length === BLOCK && this.#free.length < KEPT) this.#free.push(bytes);
  }
}
