import { UsageError } from "../errors.js";
import type { Clock } from "../util/clock.js";
import { HeldSlot, leftLate, NO_SLOTS, nextSlot, type Spacing, withoutSlot } from "../util/start-slots.js";

/** When starts of one queue are due; of several queues that share a rate, each has one. */
export interface StartSchedule {
  /** Milliseconds until the next start may follow; 0: it is counted, and has to follow at once. */
  claim(spacing: Spacing): number;
  /** A start left later than it was claimed: it had to wait for its connection. */
  left(spacing: Spacing): void;
}

/** Most starts in a second, as a share of the rate: a site that counts by the second refuses above the rate, not above its share of it. */
const BURST = 1.05;
/**
 * Milliseconds that starts take longer than the rate allows, in a second and in ten: requests do not arrive at the distances at which
 * they left, and the site counts arrivals.
 */
const MARGIN = { second: 20, tenSeconds: 100 };
/** Milliseconds that may be caught up with at most. Half of what a second has to spare is left for what arrives unevenly. */
const MOST_SLACK = 30;

/**
 * The spacing that holds a rate (starts a second): at most 1.05 times the rate arrive in any second (a whole number above it where the
 * rate is a fraction) and the rate itself in any ten. Of rates from 20 on 99 % are left, of others 98 %. undefined: no limit.
 * @param concurrency no burst is larger
 * @throws UsageError for a rate that is not above 0
 */
export function spacingOf(rate: number | undefined, concurrency: number): Spacing | undefined {
  if (rate === undefined || rate === Number.POSITIVE_INFINITY) return undefined;
  if (!(rate > 0)) throw new UsageError(`A rate of ${rate} requests a second sends nothing. Give a rate above 0.`);
  const inSecond = Math.max(Math.ceil(rate), Math.floor(rate * BURST));
  const interval = Math.max((1000 + MARGIN.second) / inSecond, (10_000 + MARGIN.tenSeconds) / (10 * rate));
  const spare = inSecond * interval - 1000;
  // So many late starts may leave together: 1 + slack / interval, rounded down.
  return { interval, slack: Math.min(spare / 2, MOST_SLACK, concurrency * interval * 0.99) };
}

/** The schedule of a queue that shares its rate with nobody. */
export function createOwnSchedule(clock: Pick<Clock, "now">): StartSchedule {
  const now = neverBack(clock);
  const held = new HeldSlot();
  let slots = NO_SLOTS;
  const left = (spacing: Spacing): void => {
    slots = leftLate(slots, now(), spacing);
  };
  return {
    claim(spacing) {
      const time = now();
      return held.claim(time, spacing, {
        take() {
          const slot = nextSlot(slots, time, spacing);
          slots = withoutSlot(slots, slot, spacing);
          return slot;
        },
        leaveLate: () => left(spacing),
      });
    },
    left,
  };
}

/** A clock that was set back goes on from where it was: else nothing would be due for hours. */
function neverBack(clock: Pick<Clock, "now">): () => number {
  let last = Number.NEGATIVE_INFINITY;
  let behind = 0;
  return () => {
    const time = clock.now();
    if (time < last) behind += last - time;
    last = time;
    return time + behind;
  };
}
