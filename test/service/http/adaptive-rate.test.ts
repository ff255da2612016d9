import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ADAPTION, adapt, firstRate, type RateEvent, type RateState } from "../../../src/service/http/request-rate.js";

const EVENTS = fc.array(
  fc.record({
    passed: fc.integer({ min: -10_000, max: 10_000 }),
    kind: fc.constantFrom("refused" as const, "answered" as const),
    slowness: fc.option(fc.double({ min: 0.1, max: 50, noNaN: true })),
  }),
  { maxLength: 200 },
);

describe("the rate that a site is asked at", () => {
  it("is never above the given one nor below a tenth of it, whatever happens, and says why it is below", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.1, max: 200, noNaN: true }), EVENTS, (given, events) => {
        let state = firstRate(given, 0);
        let at = 0;
        for (const { passed, kind, slowness } of events) {
          at += passed;
          state = adapt(state, kind === "refused" ? { kind, at } : { kind, at, slowness });
          expect(state.rate).toBeLessThanOrEqual(given);
          expect(state.rate).toBeGreaterThanOrEqual(given * ADAPTION.refusedFloor * 0.999);
          expect(state.slowedBy === null).toBe(state.rate === given);
        }
      }),
    );
  });

  it("is halved by a refusal, and back within two minutes of answers, step by step", () => {
    const refused = adapt(firstRate(10, 0), { kind: "refused", at: 100 });
    expect(refused).toMatchObject({ rate: 5, slowedBy: "refusal" });
    const { rates, state } = answered(refused, { from: 100, seconds: 120, slowness: 1 });
    expect(state).toMatchObject({ rate: 10, slowedBy: null });
    const steps = rates.slice(1).map((rate, at) => rate - (rates[at] ?? 0));
    expect(Math.max(...steps)).toBeLessThanOrEqual(0.5 + 1e-9);
    expect(Math.min(...steps)).toBeGreaterThanOrEqual(0);
    // Not within a half: whoever is back at once was not slowed down.
    expect(rates[29]).toBeLessThan(8.5);
  });

  it("falls by a fifth for each look at answers that take more than twice as long, to a quarter at most, and recovers", () => {
    const slow = answered(firstRate(10, 0), { from: 0, seconds: 5.5, slowness: 2.5 });
    expect(slow.state).toMatchObject({ rate: 8, slowedBy: "latency" });
    const long = answered(slow.state, { from: 5.5e3, seconds: 300, slowness: 2.5 });
    expect(long.state.rate).toBe(2.5);
    expect(answered(long.state, { from: 306e3, seconds: 120, slowness: 1 }).state.rate).toBe(10);
  });

  it("takes answers that are a little slow, a few, and those that say nothing for no sign", () => {
    const begin = firstRate(10, 0);
    expect(answered(begin, { from: 0, seconds: 60, slowness: 1.9 }).state.rate).toBe(10);
    expect(answered(begin, { from: 0, seconds: 60, slowness: null }).state.rate).toBe(10);
    let state = begin;
    for (const at of [100, 200, 5100]) state = adapt(state, { kind: "answered", at, slowness: at === 5100 ? 1 : 9 });
    expect(state.rate).toBe(8);
    state = begin;
    for (const at of [100, 5100]) state = adapt(state, { kind: "answered", at, slowness: 9 });
    expect(state.rate).toBe(10);
  });

  it("goes below its floor for nobody who starts below it", () => {
    const lowest = adapt(
      { ...firstRate(10, 0), rate: 2, slowedBy: "refusal" },
      { kind: "answered", at: 0, slowness: 9 },
    );
    expect(answered(lowest, { from: 0, seconds: 10, slowness: 9 }).state.rate).toBeGreaterThanOrEqual(2);
  });

  it.each([3, 6, 8, 20])("comes near what a site takes, %i a second of 20, with few refusals", (capacity) => {
    const { sent, refusals, tooFast } = run({ given: 20, capacity, seconds: 600 });
    expect(tooFast).toBe(0);
    expect(sent / 600).toBeGreaterThan(capacity * 0.75);
    expect(refusals).toBeLessThanOrEqual(capacity === 20 ? 0 : 40);
  });

  it("comes near what a site takes that becomes slow instead of refusing", () => {
    const { sent } = run({ given: 20, capacity: 10, seconds: 600, refuses: false });
    expect(sent / 600).toBeGreaterThan(7);
    expect(sent / 600).toBeLessThan(13);
  });
});

/** Ten answers a second for so long; the rate after each second. */
function answered(
  state: RateState,
  { from, seconds, slowness }: { readonly from: number; readonly seconds: number; readonly slowness: number | null },
): { readonly state: RateState; readonly rates: readonly number[] } {
  const rates: number[] = [];
  let current = state;
  for (let at = from; at < from + seconds * 1000; at += 100) {
    current = adapt(current, { kind: "answered", at, slowness });
    if (at % 1000 === 900) rates.push(current.rate);
  }
  return { state: current, rates };
}

/**
 * A site that takes so many requests a second, asked second by second for all that the rate allows.
 */
function run(site: { given: number; capacity: number; seconds: number; refuses?: boolean }) {
  const { given, capacity, seconds, refuses = true } = site;
  let state = firstRate(given, 0);
  let [sent, refusals, tooFast] = [0, 0, 0];
  for (let second = 0; second < seconds; second += 1) {
    const asked = Math.floor(state.rate);
    if (asked > given) tooFast += 1;
    const isTooMuch = asked > capacity;
    for (let n = 0; n < asked; n += 1) {
      const at = second * 1000 + n * (1000 / asked);
      if (refuses && n >= capacity) continue;
      const slowness = isTooMuch ? (asked / capacity) * 2 : 1;
      state = adapt(state, { kind: "answered", at, slowness: refuses ? 1 : slowness } satisfies RateEvent);
      sent += 1;
    }
    if (!refuses || !isTooMuch) continue;
    state = adapt(state, { kind: "refused", at: second * 1000 + 999 });
    refusals += 1;
  }
  return { sent, refusals, tooFast };
}
