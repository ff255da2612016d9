import { UsageError } from "../errors.js";

/** So many starts in any window. */
export interface Pace {
  readonly starts: number;
  /** Milliseconds. */
  readonly window: number;
}

// Requests that start together arrive a little apart, and the site counts arrivals in windows of its own. 98 % of the rate is left.
const MARGIN = 20;

/**
 * What a rate (starts a second) comes to. Above 1 a fraction is dropped: 2.5 starts fit into no second but 2 do. Below 1 it is one start in
 * 1/rate seconds. undefined: no limit.
 * @throws UsageError for a rate that is not above 0
 */
export function paceOf(rate: number | undefined): Pace | undefined {
  if (rate === undefined || rate === Number.POSITIVE_INFINITY) return undefined;
  if (!(rate > 0)) throw new UsageError(`A rate of ${rate} requests a second sends nothing. Give a rate above 0.`);
  return rate >= 1
    ? { starts: Math.floor(rate), window: 1000 + MARGIN }
    : { starts: 1, window: Math.ceil(1000 / rate) + MARGIN };
}

/** When the last starts were: as many as any pace may ask for. */
export interface Starts {
  add(time: number): void;
  /** Milliseconds until one more fits into every window of this pace; 0: it fits now. */
  wait(pace: Pace, now: number): number;
}

/** `most`: the most starts in a window of any pace that is asked about. */
export function createStarts(most: number): Starts {
  const times: number[] = [];
  let next = 0;
  return {
    add(time) {
      times[next % most] = time;
      next += 1;
    },
    wait({ starts, window }, now) {
      const last = next < starts ? undefined : times[(next - starts) % most];
      // A start in the future is one from before the clock was set back: it holds nothing up for longer than one window.
      return last === undefined ? 0 : Math.max(0, Math.min(last, now) + window - now);
    },
  };
}
