/** So many times as long as the work took nothing is done after it. */
const REST = 9;

/** Work that is wanted often and done so seldom that it takes a tenth of the time at most. */
export class Seldom {
  readonly #now: () => number;
  #free = 0;

  /** `now`: milliseconds that never go back. Default: those of the process. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** What the work gives; undefined: it is too soon for it. */
  do<T>(work: () => T): T | undefined {
    const start = this.#now();
    if (start < this.#free) return undefined;
    try {
      return work();
    } finally {
      const end = this.#now();
      this.#free = end + REST * (end - start);
    }
  }
}
