const MINUTE = 60_000;
/** Minutes of a day. */
const DAY = 24 * 60;
/** Clocks are put on by this much at most; a larger step is one back. */
const LARGEST_STEP = 3 * 60;

/**
 * The next instant, after `now`, at which the clocks show a time of day, or jump over it: on the night when 02:30 is left out because clocks are
 * put on from 02:00 to 03:00, that is 03:00. On the night when it comes twice, it is the next of the two.
 *
 * @param minute minutes after midnight
 * @param now milliseconds since 1970
 * @param minuteAt what the clocks show at an instant, in minutes after midnight; default: the clock of this machine. Whole minutes off UTC are assumed
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
