import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createStarts, paceOf } from "../../src/api/pace.js";

const RATES = fc.oneof(fc.double({ min: 0.05, max: 1, noNaN: true }), fc.double({ min: 1, max: 60, noNaN: true }));

describe("a pace", () => {
  it.each([
    [10, { starts: 10, window: 1020 }],
    [2.9, { starts: 2, window: 1020 }],
    [0.5, { starts: 1, window: 2020 }],
    [undefined, undefined],
    [Number.POSITIVE_INFINITY, undefined],
  ])("of %s a second is %o", (rate, pace) => {
    expect(paceOf(rate)).toEqual(pace);
  });

  it("is held in every window, also while it changes: what starts now fits into the pace of now", () => {
    const changes = fc.array(fc.tuple(fc.nat(700), RATES), { minLength: 1, maxLength: 120 });
    fc.assert(
      fc.property(changes, (steps) => {
        const starts = createStarts(60);
        const times: number[] = [];
        let now = 1_000_000;
        for (const [passed, rate] of steps) {
          const pace = paceOf(rate);
          if (pace === undefined) throw new Error("every rate here is a limit");
          now += passed;
          now += starts.wait(pace, now);
          starts.add(now);
          times.push(now);
          expect(times.filter((time) => time > now - pace.window).length).toBeLessThanOrEqual(pace.starts);
          // No later than needed: a wait of 0 says that it fits, and right behind a full window it does.
          expect(starts.wait(pace, now + pace.window)).toBe(0);
        }
      }),
    );
  });

  it("waits for one window at most when the clock was set back", () => {
    const starts = createStarts(2);
    starts.add(9_000_000);
    starts.add(9_000_000);
    expect(starts.wait({ starts: 2, window: 1020 }, 1000)).toBe(1020);
  });
});
