import type { PauseState } from "../../../service/pause.js";

/** When a run was paused. */
export interface PauseTimes {
  /** Milliseconds of pause between two times, UNIX milliseconds. */
  within(from: number, to: number): number;
  /** UNIX milliseconds since when it is paused; null: it is not. */
  since(): number | null;
  /** Notes nothing any more. */
  close(): void;
}

/** Notes when a pause begins and ends; it is small, since people do that by hand. */
export function createPauseTimes(pause: PauseState, now: () => number = () => Date.now()): PauseTimes {
  const over: (readonly [from: number, to: number])[] = [];
  let since = pause.isPaused ? now() : null;
  const close = pause.onChange(() => {
    if (since !== null) over.push([since, now()]);
    since = pause.isPaused ? now() : null;
  });
  const spans = (): readonly (readonly [from: number, to: number])[] =>
    since === null ? over : [...over, [since, Number.POSITIVE_INFINITY]];
  return {
    within: (from, to) =>
      spans().reduce((sum, [begin, end]) => sum + Math.max(0, Math.min(to, end) - Math.max(from, begin)), 0),
    since: () => since,
    close,
  };
}
