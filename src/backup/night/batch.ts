import type { Adding, ArchivedStore } from "../../storage/workspace/archived.js";

/** Each transaction waits for the disk, so many rows share one. */
const ROWS = 500;

/** Adds places to what waits, many at a time. */
export class Batch {
  readonly #archived: ArchivedStore;
  #held: ((add: Adding) => void)[] = [];

  constructor(archived: ArchivedStore) {
    this.#archived = archived;
  }

  add(work: (add: Adding) => void): void {
    this.#held.push(work);
    if (this.#held.length >= ROWS) this.flush();
  }

  /** To be called at the end. */
  flush(): void {
    const held = this.#held;
    this.#held = [];
    if (held.length === 0) return;
    this.#archived.adding((add) => {
      for (const work of held) work(add);
    });
  }
}
