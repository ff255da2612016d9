import { expect, it } from "vitest";
import { createPaceMeasure } from "../../../src/commands/output/pace.js";
import type { ProgressEvent } from "../../../src/sync/control.js";

const event = (done: number, total: number | null = 1000): ProgressEvent => ({ stage: "load", done, total, failed: 0 });

it("knows nothing at first, then the rate of the last minute, and at the end that of the whole stage", () => {
  let now = 0;
  const measure = createPaceMeasure(() => now);
  expect(measure(event(0))).toEqual({ rate: null, left: null });
  now = 999;
  expect(measure(event(5))).toEqual({ rate: null, left: null });
  now = 10_000;
  expect(measure(event(100))).toEqual({ rate: 10, left: 90 });
  // Two minutes at a tenth of it.
  for (now = 11_000; now <= 130_000; now += 1000) measure(event(100 + Math.floor((now - 10_000) / 1000)));
  now = 130_000;
  expect(measure(event(220)).rate).toBeCloseTo(1, 1);
  now = 200_000;
  expect(measure(event(1000))).toEqual({ rate: 5, left: null });
});

it("begins anew when a stage does, and knows no end where the total is not known", () => {
  let now = 0;
  const measure = createPaceMeasure(() => now);
  measure(event(0));
  now = 10_000;
  expect(measure(event(50, null))).toEqual({ rate: 5, left: null });
  now = 20_000;
  expect(measure(event(1))).toEqual({ rate: null, left: null });
});
