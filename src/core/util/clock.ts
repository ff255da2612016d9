import { setTimeout as delay } from "node:timers/promises";

/** Time, as far as the parts that wait need it; tests pass their own. */
export interface Clock {
  /** UNIX time in milliseconds. */
  now(): number;
  /** @throws the signal's reason when it is aborted first */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(milliseconds, signal) {
    try {
      await delay(milliseconds, undefined, { signal });
    } catch (error) {
      // Node rejects with an AbortError of its own; callers expect the reason that the aborter
      // gave.
      signal.throwIfAborted();
      throw error;
    }
  },
};

/** How starts follow each other. Times are milliseconds. */
export interface Spacing {
  /** Between two starts. */
  readonly interval: number;
  /** Milliseconds of lateness that may be caught up with: it bounds a burst. */
  readonly slack: number;
  /** Most starts in any span of `second`, also while something is caught up with. */
  readonly most: number;
  readonly second: number;
}

/**
 * When the next start is due. `before`: when the start left that opens the second; undefined: too
 * few.
 */
export function nextStart(due: number, before: number | undefined, { second }: Spacing): number {
  return Math.max(due, before === undefined ? Number.NEGATIVE_INFINITY : before + second);
}

/**
 * When the start after this one is due. `waited`: the start waited for its time, so lateness is
 * caught up with as far as the slack goes.
 */
export function dueAfter(due: number, now: number, waited: boolean, { interval, slack }: Spacing): number {
  const earliest = now - slack;
  return (due < earliest ? (waited ? earliest : now) : due) + interval;
}

const MINUTE = 60_000;
/** Minutes of a day. */
const DAY = 24 * 60;
/** Clocks are put on by this much at most; a larger step is one back. */
const LARGEST_STEP = 3 * 60;

/**
 * The next instant, after `now`, at which the clocks show a time of day, or jump over it: on the
 * night when 02:30 is left out because clocks are put on from 02:00 to 03:00, that is 03:00. On the
 * night when it comes twice, it is the next of the two.
 *
 * @param minute minutes after midnight
 * @param now milliseconds since 1970
 * @param minuteAt what the clocks show at an instant, in minutes after midnight; default: the clock
 * of this machine. Whole minutes off UTC are assumed
 */
export function nextTimeOfDay(
  minute: number,
  now: number,
  minuteAt: (instant: number) => number = localMinute,
): number {
  const from = Math.floor(now / MINUTE) * MINUTE;
  let before = minuteAt(from);
  // A day with clocks that are put back is longer than others.
  for (let passed = 1; passed <= DAY + LARGEST_STEP; passed += 1) {
    const instant = from + passed * MINUTE;
    const shown = minuteAt(instant);
    const step = ahead(before, shown);
    const wanted = ahead(before, minute);
    const isPassed = step <= LARGEST_STEP && wanted > 0 && wanted <= step;
    if (isPassed || shown === minute) return instant;
    before = shown;
  }
  throw new RangeError(`No clock shows ${minute} minutes after midnight.`);
}

function ahead(from: number, to: number): number {
  return (to - from + DAY) % DAY;
}

function localMinute(instant: number): number {
  const date = new Date(instant);
  return date.getHours() * 60 + date.getMinutes();
}
