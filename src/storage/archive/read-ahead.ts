import type { Extent } from "./check-headers.js";
import type { ArchiveFile } from "./random-access.js";

/** Bytes of packed content that are read together; each read is a turn of another thread. */
const TOGETHER = 256 * 1024;
/** Between two contents stands the header of the second, seldom more than this. */
const APART = 4096;

/** Reads small contents of one file, those that stand close to each other at once and into the same memory. */
export class ReadAhead {
  readonly #file: ArchiveFile;
  /** In the order of their places. */
  readonly #extents: readonly Extent[];
  readonly #memory: Buffer;
  #at = 0;
  #filled: Buffer = Buffer.alloc(0);

  constructor(file: ArchiveFile, extents: readonly Extent[]) {
    this.#file = file;
    this.#extents = extents;
    this.#memory = Buffer.allocUnsafe(Math.min(TOGETHER, file.size));
  }

  /** The packed content of the extent with this number; only until the next call. Fewer bytes where the file ends. */
  async contentOf(index: number): Promise<Buffer> {
    const { contentAt = 0, contentEnd = 0 } = this.#extents[index] ?? {};
    const isInside = contentAt >= this.#at && contentEnd <= this.#at + this.#filled.length;
    if (!isInside) {
      this.#filled = await this.#file.readInto(this.#memory, contentAt, this.#reach(index, contentAt) - contentAt);
      this.#at = contentAt;
    }
    return this.#filled.subarray(contentAt - this.#at, contentEnd - this.#at);
  }

  /** Where the last of the contents ends that are read with this one. */
  #reach(index: number, from: number): number {
    let reached = this.#extents[index]?.contentEnd ?? from;
    for (let at = index + 1; at < this.#extents.length; at += 1) {
      const { contentAt = 0, contentEnd = 0 } = this.#extents[at] ?? {};
      if (contentAt < reached || contentAt - reached > APART || contentEnd - from > TOGETHER) break;
      reached = contentEnd;
    }
    return reached;
  }
}
