import { UsageError } from "../core/errors.js";
import type { Clock } from "../core/util/clock.js";
import { dueAfter, nextStart, type Spacing } from "../core/util/start-spacing.js";

/** When starts are due: of one queue, or of all that share a rate. */
export interface StartSchedule {
  /** Milliseconds until the next start may follow; 0: it is counted, and has to follow at once. */
  claim(spacing: Spacing): number;
  /** To be called by a start that `claim` allowed. What it gives is to be called when that leaves: late for want of a connection or of a processor. */
  started(): () => void;
}

/** Most starts in a second, as a share of the rate. */
const IN_SECOND = 1.05;
/**
 * Milliseconds that are left over in a second and in ten: requests do not arrive at the distances at which they left, and the site
 * counts arrivals.
 */
const MARGIN = 20;
/** Milliseconds of lateness that are caught up with in a second: the rest of what the interval leaves over is for late arrivals. */
const PER_SECOND = 20;
/** Milliseconds that may be caught up with: a tenth of a second's worth. */
const MOST_SLACK = 100;

/**
 * The spacing that holds a rate (starts a second): at most 1.05 times the rate arrive in any second (the next whole number where the rate
 * is a fraction) and the rate itself in any ten. Of rates from 20 on 98.8 % are left, of others 98 %. undefined: no limit.
 * @param concurrency no burst is larger
 * @throws UsageError for a rate that is not above 0
 */
export function spacingOf(rate: number | undefined, concurrency: number): Spacing | undefined {
  if (rate === undefined || rate === Number.POSITIVE_INFINITY) return undefined;
  if (!(rate > 0)) throw new UsageError(`A rate of ${rate} requests a second sends nothing. Give a rate above 0.`);
  const most = Math.max(Math.ceil(rate), Math.floor(rate * IN_SECOND));
  const interval = Math.max((1000 + MARGIN) / most, (10_000 + MOST_SLACK + MARGIN) / (10 * rate));
  const second = Math.max(1000 + MARGIN, most * interval - PER_SECOND);
  // So many late starts may leave together: 1 + slack / interval, rounded down.
  const burst = Math.min(concurrency, Math.max(1, Math.floor(rate / 10)));
  return { interval, slack: Math.min(MOST_SLACK, burst * interval * 0.99), most, second };
}

/** The schedule of a queue that shares its rate with nobody. */
export function createOwnSchedule(clock: Pick<Clock, "now">): StartSchedule {
  const now = neverBack(clock);
  // When the last starts left, the next one in the place of the oldest.
  const times: number[] = [];
  let count = 0;
  let due = Number.NEGATIVE_INFINITY;
  let isWaiting = false;
  return {
    claim(spacing) {
      const time = now();
      const wait = nextStart(due, times[(count - spacing.most) % KEPT], spacing) - time;
      const waited = isWaiting;
      isWaiting = wait > 0;
      if (isWaiting) return wait;
      due = dueAfter(due, time, waited, spacing);
      times[count % KEPT] = time;
      count += 1;
      return 0;
    },
    started() {
      const place = (count - 1) % KEPT;
      return () => {
        times[place] = now();
      };
    },
  };
}

/** Starts that are remembered: as many as a second has at the highest rate for which seconds are counted. */
const KEPT = 2048;

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
