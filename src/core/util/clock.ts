import { setTimeout as delay } from "node:timers/promises";

/** Time, as far as the parts that wait need it; tests pass their own. */
export interface Clock {
  /** UNIX time in milliseconds. */
  now(): number;
  /** Resolves after so many milliseconds; rejects with the signal's reason when that is aborted first. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(milliseconds, signal) {
    try {
      await delay(milliseconds, undefined, { signal });
    } catch (error) {
      // Node rejects with an AbortError of its own; callers expect the reason that the aborter gave.
      signal.throwIfAborted();
      throw error;
    }
  },
};
