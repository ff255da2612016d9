import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { createPause, type Pause } from "../../../src/service/http/pause.js";
import type { RequestQueue, RequestQueueOptions } from "../../../src/service/http/request-queue.js";
import { mostInOneSecond, openQueue, virtualTime } from "../helpers/test-queue.js";
import { forever } from "../helpers/test-stack.js";

/** A queue that is kept busy, with the times of its starts. */
function busyQueue(options: Omit<RequestQueueOptions, "clock" | "pause">): {
  readonly queue: RequestQueue;
  readonly pause: Pause;
  readonly starts: readonly number[];
} {
  const clock = virtualTime();
  const pause = createPause();
  const queue = openQueue({ ...options, pause, clock });
  const starts: number[] = [];
  const again = (): unknown =>
    queue
      .run(async () => {
        starts.push(clock.now());
        await new Promise((resolve) => setTimeout(resolve, 30));
      }, forever)
      .then(again);
  for (let worker = 0; worker < 20; worker += 1) again();
  return { queue, pause, starts };
}

describe("a run that a person pauses", () => {
  it.each([undefined, 10])(
    "starts nothing more, urgent requests neither, until it is resumed (rate %s)",
    async (rate) => {
      const { queue, pause, starts } = busyQueue({ rate, concurrency: 4 });
      await vi.advanceTimersByTimeAsync(1500);
      const before = starts.length;
      expect(before).toBeGreaterThan(5);
      pause.pause();
      let login = false;
      const urgent = queue.run(
        async () => {
          login = true;
        },
        forever,
        true,
      );
      await vi.advanceTimersByTimeAsync(60_000);
      expect([starts.length, login]).toEqual([before, false]);
      pause.resume();
      await vi.advanceTimersByTimeAsync(1500);
      await urgent;
      expect(starts.length).toBeGreaterThan(before + 5);
      if (rate !== undefined) expect(mostInOneSecond(starts)).toBeLessThanOrEqual(rate);
    },
  );

  it("and a pause that the site asks for hold each other's end up, in either order", async () => {
    const { queue, pause, starts } = busyQueue({ concurrency: 4 });
    await vi.advanceTimersByTimeAsync(100);
    pause.pause();
    queue.pauseUntil(Date.now() + 5000);
    await vi.advanceTimersByTimeAsync(6000);
    const before = starts.length;
    await vi.advanceTimersByTimeAsync(1000);
    expect(starts.length).toBe(before);

    queue.pauseUntil(Date.now() + 5000);
    pause.resume();
    await vi.advanceTimersByTimeAsync(4000);
    expect(starts.length).toBe(before);
    await vi.advanceTimersByTimeAsync(1100);
    expect(starts.length).toBeGreaterThan(before);
  });

  it("counts as no waiting for the rate", async () => {
    const { queue, pause } = busyQueue({ rate: 10, concurrency: 4 });
    await vi.advanceTimersByTimeAsync(1000);
    pause.pause();
    const { held } = queue.use();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(queue.use().held).toBe(held);
  });

  it("can still be aborted, and is never paused again once it has to end", async () => {
    const { queue, pause } = busyQueue({ concurrency: 1 });
    pause.pause();
    const abort = new AbortController();
    const waiting = queue.run(async () => "done", abort.signal);
    abort.abort(new Error("stopped"));
    await expect(waiting).rejects.toThrow("stopped");
    pause.end();
    pause.pause();
    expect(pause.isPaused).toBe(false);
  });

  it("never goes above its rate nor stands for ever, however often it is paused", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 700 }), { maxLength: 12 }), async (waits) => {
        const { pause, starts } = busyQueue({ rate: 7, concurrency: 5 });
        for (const wait of waits) {
          if (pause.isPaused) pause.resume();
          else pause.pause();
          await vi.advanceTimersByTimeAsync(wait);
        }
        pause.resume();
        const before = starts.length;
        await vi.advanceTimersByTimeAsync(2500);
        expect(starts.length).toBeGreaterThan(before + 7);
        expect(mostInOneSecond(starts)).toBeLessThanOrEqual(7);
      }),
      { numRuns: 20 },
    );
  });
});
