import { setImmediate } from "node:timers/promises";

/** Milliseconds of work after which others have their turn. */
const AT_ONCE = 10;

/** Lets others have their turn in the midst of long work. */
export class Pauses {
  #since = performance.now();

  /** Resolves at once, or when it is time, after the others had their turn. */
  async take(): Promise<void> {
    if (performance.now() - this.#since < AT_ONCE) return;
    await setImmediate();
    this.#since = performance.now();
  }
}
