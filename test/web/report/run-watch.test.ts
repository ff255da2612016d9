import fc from "fast-check";
import { expect, it, onTestFinished, vi } from "vitest";
import type { QueueUse } from "../../../src/service/http/request-statistics.js";
import { createStartCounts } from "../../../src/service/http/request-statistics.js";
import { createRunWatch } from "../../../src/web/report/course.js";

const RATE = 5;

/**
 * A queue that starts as it is told, and never above its rate; `paused`: milliseconds of pauses so
 * far.
 */
function queueOf(paused = () => 0) {
  const counts = createStartCounts();
  let starts = 0;
  const use = (): readonly QueueUse[] => [
    {
      origin: "https://site.example",
      held: 0,
      paused: paused(),
      byHand: 0,
      answering: 0,
      idle: 0,
      latency: null,
      rate: { given: RATE, rate: RATE, slowedBy: null, sharers: 1 },
      starts,
      startsBySecond: counts.seconds(),
      refusals: 0,
    },
  ];
  return {
    use,
    start: (at: number): void => {
      starts += 1;
      counts.note(at);
    },
  };
}

it("puts each start into its second, however late somebody looks: a chart never shows more than the rate let out", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const looks = fc.array(fc.integer({ min: 1, max: 2500 }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(looks, fc.integer({ min: 0, max: 999 }), (waits, offset) => {
      let now = 1_000_000_000 + offset;
      const queue = queueOf();
      const watch = createRunWatch(() => now);
      watch.watch(queue.use);
      let sent = 0;
      for (const wait of waits) {
        for (let at = now + 1; at <= now + wait; at += 1) {
          if (at % 205 !== 0) continue;
          queue.start(at);
          sent += 1;
        }
        now += wait;
        watch.course();
      }
      watch.close();
      const buckets = watch.course().timeline.origins[0]?.buckets ?? [];
      expect(buckets.reduce((sum, { starts }) => sum + starts, 0)).toBe(sent);
      expect(Math.max(0, ...buckets.map(({ starts }) => starts))).toBeLessThanOrEqual(RATE);
    }),
  );
});

it("makes no second longer than it is where a look comes late", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let now = 1_000_000_000;
  const watch = createRunWatch(() => now);
  watch.watch(queueOf(() => now - 1_000_000_000).use);
  for (const wait of [1000, 5000, 1000]) {
    now += wait;
    watch.course();
  }
  watch.close();
  expect(watch.course().timeline.origins[0]?.buckets.map(({ paused }) => paused)).toEqual(Array(7).fill(1000));
});
