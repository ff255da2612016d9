import { expect, it } from "vitest";
import { createPause } from "../../../src/api/pause.js";
import { createPauseTimes } from "../../../src/report/live/pause-times.js";
import { timeLeft } from "../../../src/report/live/time-left.js";

const never = (): number => 0;

it("is told from the pace so far, without the time in which the run was paused", () => {
  expect(timeLeft({ started: 1000, done: 5, total: 20 }, 6000, never)).toBe(15_000);
  expect(timeLeft({ started: 1000, done: 5, total: 20 }, 66_000, () => 60_000)).toBe(15_000);
});

it("is not told where it can't be known", () => {
  expect(timeLeft({ started: 0, done: 5, total: null }, 6000, never)).toBe(null);
  expect(timeLeft({ started: 0, done: 0, total: 9 }, 6000, never)).toBe(null);
  expect(timeLeft({ started: 0, done: 0, total: 0 }, 6000, never)).toBe(0);
});

it("pauses are counted as far as they lie between two times, the one that is on too", () => {
  let now = 1000;
  const pause = createPause();
  const times = createPauseTimes(pause, () => now);
  pause.pause();
  now = 3000;
  expect([times.since(), times.within(0, now)]).toEqual([1000, 2000]);
  pause.resume();
  now = 5000;
  pause.pause();
  now = 9000;
  expect(times.within(0, now)).toBe(6000);
  expect(times.within(2000, 6000)).toBe(2000);
  expect(times.within(3000, 5000)).toBe(0);
  times.close();
});
