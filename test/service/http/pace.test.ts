import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createOwnSchedule, spacingOf } from "../../../src/service/http/request-rate.js";
import { mostIn } from "../helpers/test-queue.js";

const RATES = [0.5, 1, 2.5, 5, 10, 19, 20, 39.9, 60, 200, 1000];

/** The spacing of a rate with as many connections as it may need. */
function spacing(rate: number, concurrency = 64) {
  const found = spacingOf(rate, concurrency);
  if (found === undefined) throw new Error("every rate here is a limit");
  return found;
}

/** Starts at once when something is due; `late` says by how much a timer comes too late. */
function starts(rate: number, milliseconds: number, late: () => number, concurrency?: number): readonly number[] {
  const times: number[] = [];
  let now = 0;
  const schedule = createOwnSchedule({ now: () => now });
  while (now < milliseconds) {
    const wait = schedule.claim(spacing(rate, concurrency));
    if (wait === 0) times.push(now);
    else now += wait + late();
  }
  return times;
}

const mostAllowed = (rate: number): number => Math.max(Math.ceil(rate), Math.floor(rate * 1.05));

describe("the spacing of starts", () => {
  it.each([undefined, Number.POSITIVE_INFINITY])("is none for a rate of %s", (rate) => {
    expect(spacingOf(rate, 8)).toBeUndefined();
  });

  it.each(RATES)("is even at a rate of %d a second, and leaves at least 97 percent of it", (rate) => {
    const { interval } = spacing(rate);
    const times = starts(rate, 40_000, () => 0);
    const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(interval - 0.001);
    expect(Math.max(...gaps)).toBeLessThan(interval + 0.001);
    expect(1000 / interval).toBeGreaterThan(rate * 0.97);
  });

  it.each(RATES)("holds %d starts a second in every second and every ten, however late timers come", (rate) => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.integer({ min: 0, max: 120 })), (lateness) => {
        const times = starts(rate, 15_000, () => (lateness.next().value ?? 0) ** 2 / 120);
        expect(mostIn(times, 1000)).toBeLessThanOrEqual(mostAllowed(rate));
        expect(mostIn(times, 10_000)).toBeLessThanOrEqual(Math.max(1, rate * 10));
      }),
      { numRuns: 15 },
    );
  });

  it.each([5, 20, 60, 200])(
    "uses 97 percent of %d a second although each timer comes some milliseconds late",
    (rate) => {
      let turn = 0;
      const times = starts(rate, 60_000, () => [0.4, 1, 3, 0, 6][turn++ % 5] ?? 0);
      expect(times.length / 60 / rate).toBeGreaterThanOrEqual(0.97);
    },
  );

  it("catches up with a burst of a tenth of a second's worth at most, and none above the concurrency", () => {
    for (const rate of RATES) {
      for (const concurrency of [1, 2, 4, 64]) {
        let turn = 0;
        const burst = mostIn(
          starts(rate, 5000, () => (turn++ % 10 === 0 ? 80 : 0), concurrency),
          0.001,
        );
        expect(burst).toBeLessThanOrEqual(Math.max(1, rate / 10));
        expect(burst).toBeLessThanOrEqual(concurrency);
      }
    }
  });

  it.each([20, 60, 200])("holds %d a second where requests arrive 40 milliseconds late at random", (rate) => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.integer({ min: 0, max: 40 })), (milliseconds) => {
        const some = () => milliseconds.next().value ?? 0;
        const arrivals = starts(rate, 15_000, () => some() ** 2 / 40).map((time) => time + some());
        const ordered = arrivals.toSorted((one, other) => one - other);
        expect(mostIn(ordered, 1000)).toBeLessThanOrEqual(mostAllowed(rate));
        expect(mostIn(ordered, 10_000)).toBeLessThanOrEqual(rate * 10);
      }),
      { numRuns: 15 },
    );
  });

  it("counts a start that leaves late where it leaves", () => {
    let now = 0;
    const schedule = createOwnSchedule({ now: () => now });
    const given = spacing(10);
    const claim = () => {
      for (let wait = schedule.claim(given); wait > 0; wait = schedule.claim(given)) now += wait;
      return schedule.started();
    };
    // Ten starts wait for their connections, and leave together.
    const late = Array.from({ length: 10 }, claim);
    now = 5000;
    for (const left of late) left();
    expect(schedule.claim(given)).toBe(given.second);
  });

  it("goes on when the clock is set back, and makes no burst when it is put on", () => {
    let now = 9_000_000;
    const schedule = createOwnSchedule({ now: () => now });
    const given = spacing(5);
    expect(schedule.claim(given)).toBe(0);
    now = 1000;
    expect(schedule.claim(given)).toBeLessThanOrEqual(given.interval);
    now = 90_000_000;
    expect(schedule.claim(given)).toBe(0);
    expect(schedule.claim(given)).toBeGreaterThanOrEqual(given.interval - given.slack);
  });
});
