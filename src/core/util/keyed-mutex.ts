/** Lets work with the same key run one at a time, in the order of asking; work with different keys runs side by side. */
export class KeyedMutex {
  readonly #tails = new Map<string, Promise<void>>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const result = before.then(work);
    // A tail only tells that its turn is over; how it ended is its own caller's business.
    const tail = Promise.allSettled([result]).then(() => undefined);
    this.#tails.set(key, tail);
    try {
      return await result;
    } finally {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }
}
