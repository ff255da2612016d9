/** So many milliseconds work in the background waits for those before it: somebody may come and go all the time. */
const LONGEST = 50;

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

  /** Resolves when nobody waits, and after a short time in any case, so that a page may wait for what is read in the background. */
  async empty(): Promise<void> {
    if (this.#count === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => this.#go(leave), LONGEST);
      const leave = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.#leave.push(leave);
    });
  }

  #go(leave: () => void): void {
    this.#leave = this.#leave.filter((one) => one !== leave);
    leave();
  }
}
