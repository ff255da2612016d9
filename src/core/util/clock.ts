import { setTimeout as delay } from "node:timers/promises";

/** Time for the parts that wait; tests pass their own. */
export interface Clock {
  /** UNIX time in milliseconds. */
  now(): number;
  /** Throws the signal's reason when it is aborted first. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(milliseconds, signal) {
    try {
      await delay(milliseconds, undefined, { signal });
    } catch (error) {
      // Node rejects with its own AbortError; callers expect the signal's reason.
      signal.throwIfAborted();
      throw error;
    }
  },
};

/** The clock, held while it is set back: it must not hold what waits for hours. */
export function neverBack(clock: Pick<Clock, "now">): () => number {
  let last = Number.NEGATIVE_INFINITY;
  let behind = 0;
  return () => {
    const time = clock.now();
    if (time < last) behind += last - time;
    last = time;
    return time + behind;
  };
}

/** Starts now; the result gives the whole milliseconds since. */
export function stopwatch(): () => number {
  const started = performance.now();
  return () => Math.round(performance.now() - started);
}

/** The spacing of starts, in milliseconds. */
export interface Spacing {
  readonly interval: number;
  /** Most delay in milliseconds that later starts make up for: it bounds a burst. */
  readonly slack: number;
  /** Most starts in any span of `second`, also after a delay. */
  readonly most: number;
  readonly second: number;
}

/** `before`: the start that opens the second of the next one; undefined: too few. */
export function nextStart(due: number, before: number | undefined, { second }: Spacing): number {
  return Math.max(due, before === undefined ? Number.NEGATIVE_INFINITY : before + second);
}

/** The time after this start. `waited`: it waited, so a delay is made up for in the slack. */
export function dueAfter(due: number, now: number, waited: boolean, { interval, slack }: Spacing): number {
  const earliest = now - slack;
  return (due < earliest ? (waited ? earliest : now) : due) + interval;
}

const MINUTE = 60_000;
const DAY = 24 * 60;
/** Clocks go forward by this much at most; a larger step is a step back. */
const LARGEST_STEP = 3 * 60;

/**
 * The next instant after `now` at which the clock shows a time of day or jumps over it: if 02:30
 * does not exist because the clock goes from 02:00 to 03:00, that is 03:00. A time that comes twice
 * counts both times.
 *
 * @param minute minutes after midnight
 *
 * @param now UNIX milliseconds
 *
 * @param minuteAt the time of the clock at an instant, in minutes after midnight; default: the
 * clock of this machine. Offsets from UTC are whole minutes
 */
export function nextTimeOfDay(
  minute: number,
  now: number,
  minuteAt: (instant: number) => number = localMinute,
): number {
  const from = Math.floor(now / MINUTE) * MINUTE;
  let before = minuteAt(from);
  // A day on which the clock goes back is longer than others.
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
