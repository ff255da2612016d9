import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Bucket, createTimelineRecorder, EMPTY_BUCKET } from "../../../src/web/report/course.js";

const bucket = (more: Partial<Bucket>): Bucket => ({ ...EMPTY_BUCKET, ...more });

describe("the timeline of a run", () => {
  it("puts what happens into the second in which it happened", () => {
    const recorder = createTimelineRecorder(10_000);
    recorder.add("a", 10_000, 5, bucket({ starts: 2, rate: 5 }));
    recorder.add("a", 10_999, 5, bucket({ starts: 1, refusals: 1, rate: 2.5 }));
    recorder.add("a", 12_000, 5, bucket({ starts: 4, held: 30, rate: 2.5 }));
    const { from, length, origins } = recorder.timeline();
    expect([from, length]).toEqual([10_000, 1000]);
    expect(origins).toEqual([
      {
        origin: "a",
        given: 5,
        buckets: [bucket({ starts: 3, refusals: 1, rate: 5 }), bucket({}), bucket({ starts: 4, held: 30, rate: 2.5 })],
      },
    ]);
  });

  it("keeps what happened while a clock was set back", () => {
    const recorder = createTimelineRecorder(10_000);
    recorder.add("a", 4000, null, bucket({ starts: 1 }));
    expect(recorder.timeline().origins[0]?.buckets).toEqual([bucket({ starts: 1 })]);
  });

  it("loses no request and stays small, however long a run takes", () => {
    const events = fc.array(fc.tuple(fc.constantFrom("a", "b"), fc.nat(3 * 86_400_000), fc.nat(50)), { maxLength: 60 });
    fc.assert(
      fc.property(events, (all) => {
        const recorder = createTimelineRecorder(0);
        for (const [origin, at, starts] of all) recorder.add(origin, at, 10, bucket({ starts, refusals: starts % 3 }));
        const { length, origins } = recorder.timeline();
        const sum = origins.flatMap(({ buckets }) => buckets.map(({ starts }) => starts)).reduce((a, b) => a + b, 0);
        expect(sum).toBe(all.reduce((total, [, , starts]) => total + starts, 0));
        expect(Math.max(0, ...origins.map(({ buckets }) => buckets.length))).toBeLessThanOrEqual(600);
        // Each stands where its time says.
        for (const [origin, at, starts] of all) {
          const there = origins.find((one) => one.origin === origin)?.buckets[Math.floor(at / length)];
          expect(there?.starts ?? 0).toBeGreaterThanOrEqual(starts);
        }
      }),
    );
  });
});
