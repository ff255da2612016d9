/** Those who wait for a page, before whom work in the background gives way. */
export class WaitingRoom {
  #count = 0;
  #leave: (() => void)[] = [];

  /** Somebody waits until the work is done. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#count += 1;
    try {
      return await work();
    } finally {
      this.#count -= 1;
      if (this.#count === 0) for (const leave of this.#leave.splice(0)) leave();
    }
  }

  /** Resolves when nobody waits. */
  async empty(): Promise<void> {
    while (this.#count > 0) await new Promise<void>((resolve) => void this.#leave.push(resolve));
  }
}
