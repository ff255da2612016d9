import { describe, expect, it, vi } from "vitest";
import { createPause } from "../../../src/service/http/pause.js";
import { mostInOneSecond, openQueue, virtualTime } from "../helpers/test-queue.js";
import { forever } from "../helpers/test-stack.js";

describe("the rate of a site that refuses", () => {
  it("is halved, shows at once, and comes back in time, and never goes above the given one", async () => {
    const clock = virtualTime();
    const rates: number[] = [];
    const queue = openQueue({ rate: 10, concurrency: 50, clock, onRate: ({ rate }) => rates.push(rate) });
    const starts: number[] = [];
    const again = (): unknown =>
      queue
        .run(async () => {
          starts.push(clock.now());
          queue.adaptTo({ kind: "answered", at: clock.now(), slowness: 1 });
        }, forever)
        .then(again);
    for (let worker = 0; worker < 20; worker += 1) again();
    await vi.advanceTimersByTimeAsync(2000);
    const refusedAt = clock.now();
    queue.adaptTo({ kind: "refused", at: refusedAt });
    expect(queue.use().rate).toMatchObject({ given: 10, rate: 5, slowedBy: "refusal", sharers: 1 });
    await vi.advanceTimersByTimeAsync(120_000);
    // The next start was due already when the refusal came; a refusal pauses the queue as well.
    const slowed = starts.filter((start) => start > refusedAt + 102);
    expect(mostInOneSecond(slowed.filter((start) => start < refusedAt + 5000))).toBe(5);
    expect(mostInOneSecond(starts)).toBe(10);
    expect(mostInOneSecond(slowed.slice(-30))).toBe(10);
    expect(rates.at(-1)).toBe(10);
    expect(rates).toEqual(rates.toSorted((one, other) => one - other));
  });

  it("without a given rate is none", () => {
    const queue = openQueue({ concurrency: 5 });
    queue.adaptTo({ kind: "refused", at: Date.now() });
    expect(queue.use().rate).toBeNull();
  });
});

describe("the rate of a queue that is not alone", () => {
  it("takes each start from the schedule of all, tells when it leaves, and gives its part back", async () => {
    const clock = virtualTime();
    const calls: string[] = [];
    let next = clock.now();
    const lease = {
      sharers: 3,
      claim: ({ interval }: { readonly interval: number }) => {
        if (next > clock.now()) return next - clock.now();
        next += 3 * interval;
        calls.push("claimed");
        return 0;
      },
      started: () => () => void calls.push("left"),
      leave: () => void calls.push("leave"),
    };
    const queue = openQueue({ rate: 10, concurrency: 50, clock, lease });
    const starts: number[] = [];
    const send = () =>
      queue.run(async (sent) => {
        starts.push(clock.now());
        if (starts.length === 2) await clock.sleep(50, forever);
        sent?.();
      }, forever);
    const sent = Promise.all(Array.from({ length: 5 }, send));
    await vi.advanceTimersByTimeAsync(2000);
    await sent;
    queue.close();
    expect(calls).toEqual([...Array.from({ length: 5 }, () => ["claimed", "left"]).flat(), "leave"]);
    const gaps = starts.slice(1).map((start, at) => start - (starts[at] ?? 0));
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(306);
    expect(queue.use().rate).toMatchObject({ given: 10, rate: 10, sharers: 3 });
  });
});

describe("what a queue's time went into", () => {
  it("is answers, the rate, or nothing", async () => {
    const clock = virtualTime();
    const queue = openQueue({ rate: 2, concurrency: 5, clock });
    const send = () => queue.run(() => clock.sleep(100, forever), forever);
    await vi.advanceTimersByTimeAsync(1000);
    const sent = Promise.all([send(), send(), send()]);
    await vi.advanceTimersByTimeAsync(2000);
    await sent;
    expect(queue.use()).toMatchObject({ idle: 1000 + 880, held: 1020, answering: 100 });
  });

  it("is answers as long as no connection is free, whatever waits", async () => {
    const clock = virtualTime();
    const queue = openQueue({ concurrency: 2, clock });
    const sent = Promise.all(Array.from({ length: 6 }, () => queue.run(() => clock.sleep(500, forever), forever)));
    await vi.advanceTimersByTimeAsync(1500);
    await sent;
    expect(queue.use()).toMatchObject({ idle: 0, held: 0, answering: 1500 });
  });

  it("is the rate while a run waits for what an earlier one may have sent, which no site asked for", async () => {
    const clock = virtualTime();
    const queue = openQueue({ rate: 1, concurrency: 2, clock, lastActivity: clock.now() });
    const sent = queue.run(async () => undefined, forever);
    await vi.advanceTimersByTimeAsync(1020);
    await sent;
    expect(queue.use()).toMatchObject({ paused: 0, held: 1020 });
  });

  it("is a person's pause as long as that is on, the site's as long as that is, each millisecond once", async () => {
    const clock = virtualTime();
    const pause = createPause();
    const queue = openQueue({ rate: 2, concurrency: 2, clock, pause });
    queue.pauseUntil(clock.now() + 3000);
    const sent = queue.run(() => clock.sleep(100, forever), forever);
    await vi.advanceTimersByTimeAsync(1000);
    pause.pause();
    await vi.advanceTimersByTimeAsync(1500);
    pause.resume();
    await vi.advanceTimersByTimeAsync(700);
    await sent;
    expect(queue.use()).toMatchObject({ paused: 1500, byHand: 1500, held: 0, answering: 100, idle: 100 });
  });

  it("is the pause that a site asked for, also without a rate", async () => {
    const clock = virtualTime();
    const queue = openQueue({ concurrency: 2, clock });
    queue.pauseUntil(clock.now() + 3000);
    const sent = queue.run(async () => undefined, forever);
    await vi.advanceTimersByTimeAsync(3000);
    await sent;
    expect(queue.use()).toMatchObject({ paused: 3000, held: 0, answering: 0, rate: null });
  });
});
