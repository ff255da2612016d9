import type { Clock } from "../../../src/core/util/clock.js";

/** A clock on which every wait is over at once. It begins at 0. */
export interface SkippingClock extends Clock {
  /** Every wait that was asked for, in milliseconds. */
  readonly waits: readonly number[];
  pass(milliseconds: number): void;
}

export function skippingClock(): SkippingClock {
  const waits: number[] = [];
  let now = 0;
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return {
    waits,
    pass,
    now: () => now,
    async sleep(milliseconds) {
      waits.push(milliseconds);
      pass(milliseconds);
    },
  };
}
