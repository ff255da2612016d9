import { describe, expect, it, vi } from "vitest";
import { UsageError } from "../../../src/core/errors.js";
import { createRequestQueue } from "../../../src/service/http/request-queue.js";
import { json, localServer } from "../../helpers/local-server.js";
import { flood, mostIn, mostInOneSecond, openQueue, pause, steadyDate, virtualTime } from "../helpers/test-queue.js";
import { failureOf, forever, testStack } from "../helpers/test-stack.js";

describe("the rate", () => {
  it.each([3, 20, 100])("is never above %i starts in any second", async (rate) => {
    const starts = await flood(virtualTime(), { rate, concurrency: 50 }, 2200);
    expect(mostInOneSecond(starts)).toBeLessThanOrEqual(rate * 1.05);
    expect(starts.length).toBeGreaterThan(rate);
  });

  it.each([5, 20, 60, 200])("of %i a second starts evenly, and is used to at least 97 percent", async (rate) => {
    const starts = await flood(virtualTime(), { rate, concurrency: 50 }, 20_000);
    expect(starts.length / 20 / rate).toBeGreaterThanOrEqual(0.97);
    expect(mostIn(starts, 100)).toBeLessThanOrEqual(Math.max(1, Math.ceil(rate / 10) + rate / 20));
    expect(mostIn(starts, 10_000)).toBeLessThanOrEqual(rate * 10);
  });

  it("holds for tasks that take longer than a second, and come in bursts", async () => {
    const rate = 10;
    const clock = virtualTime();
    const queue = openQueue({ rate, concurrency: 50, clock });
    const starts: number[] = [];
    const burst = (count: number) =>
      Array.from({ length: count }, () =>
        queue.run(async () => {
          starts.push(clock.now());
          await pause(Math.random() * 1200);
        }, forever),
      );
    const first = burst(4);
    await vi.advanceTimersByTimeAsync(700);
    const second = burst(13);
    await vi.advanceTimersByTimeAsync(650);
    const all = Promise.all([...first, ...second, ...burst(8)]);
    await vi.runAllTimersAsync();
    await all;
    expect(starts).toHaveLength(25);
    expect(mostInOneSecond(starts)).toBeLessThanOrEqual(rate);
  });

  it("can be one start in several seconds", async () => {
    const starts = await flood(virtualTime(), { rate: 0.5, concurrency: 5 }, 3500);
    expect(starts).toHaveLength(2);
    expect((starts[1] ?? 0) - (starts[0] ?? 0)).toBeGreaterThanOrEqual(2000);
  });

  it("is held on average when it is a fraction", async () => {
    const starts = await flood(virtualTime(), { rate: 2.5, concurrency: 5 }, 20_000);
    expect(mostInOneSecond(starts)).toBe(3);
    expect(starts.length / 20 / 2.5).toBeGreaterThanOrEqual(0.97);
    expect(mostIn(starts, 10_000)).toBeLessThanOrEqual(25);
  });

  it("is unlimited when none is given", async () => {
    virtualTime();
    const queue = openQueue({ concurrency: 5 });
    let started = 0;
    const start = async (): Promise<void> => {
      started += 1;
    };
    await Promise.all(Array.from({ length: 1000 }, () => queue.run(start, forever)));
    expect(started).toBe(1000);
  });

  it.each([0, -1, Number.NaN])("cannot be %d", (rate) => {
    expect(() => createRequestQueue({ rate, concurrency: 1 })).toThrow(UsageError);
  });

  it("counts repetitions too, and tells of every start", async () => {
    steadyDate();
    const rate = 8;
    const starts: number[] = [];
    const { origin, arrivals } = await localServer((_, response, count) =>
      json(response, {}, count % 2 === 0 ? 500 : 200),
    );
    const { client } = testStack(origin, { rate, onStart: (startedAt) => starts.push(startedAt) });
    await Promise.all(Array.from({ length: 10 }, () => client.get("site", {}, forever)));
    expect(starts).toHaveLength(arrivals.length);
    expect(arrivals.length).toBeGreaterThan(15);
    expect(mostInOneSecond(starts)).toBeLessThanOrEqual(rate);
  });

  it("holds across a run that was killed and resumed", async () => {
    const rate = 5;
    const clock = virtualTime();
    const first = await flood(clock, { rate, concurrency: 5 }, 300);
    const second = await flood(clock, { rate, concurrency: 5, lastActivity: clock.now() }, 1900);
    expect(first).toHaveLength(2);
    expect(second.length).toBeGreaterThanOrEqual(4);
    expect(mostInOneSecond([...first, ...second])).toBeLessThanOrEqual(rate);
  });

  it("waits one window at most for a last activity that lies in the future", async () => {
    const clock = virtualTime();
    const lastActivity = clock.now() + 3_600_000;
    expect(await flood(clock, { rate: 5, concurrency: 5, lastActivity }, 1900)).toHaveLength(5);
  });
});

describe("the queue", () => {
  it("keeps to its concurrency", async () => {
    const queue = openQueue({ concurrency: 3 });
    let running = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 30 }, () =>
        queue.run(async () => {
          running += 1;
          most = Math.max(most, running);
          await pause(2);
          running -= 1;
        }, forever),
      ),
    );
    expect(most).toBe(3);
  });

  it("keeps the order in which tasks came", async () => {
    const queue = openQueue({ concurrency: 1 });
    const done: number[] = [];
    await Promise.all(Array.from({ length: 50 }, (_, n) => queue.run(async () => void done.push(n), forever)));
    expect(done).toEqual(Array.from({ length: 50 }, (_, n) => n));
  });

  it("takes a hundred thousand waiting tasks without slowing down", async () => {
    const queue = openQueue({ concurrency: 50 });
    let done = 0;
    await Promise.all(
      Array.from({ length: 100_000 }, () =>
        queue.run(async () => {
          done += 1;
        }, forever),
      ),
    );
    expect(done).toBe(100_000);
  });

  it("lets a waiting task leave when it is aborted, and the others go on", async () => {
    const queue = openQueue({ concurrency: 1 });
    const controller = new AbortController();
    const reason = new Error("asked to stop");
    const ran: string[] = [];
    const blocker = queue.run(() => pause(50), forever);
    const leaving = Array.from({ length: 10 }, () =>
      failureOf(queue.run(async () => void ran.push("left"), controller.signal)),
    );
    const staying = queue.run(async () => void ran.push("stayed"), forever);
    controller.abort(reason);
    expect(await Promise.all(leaving)).toEqual(Array.from({ length: 10 }, () => reason));
    await Promise.all([blocker, staying]);
    expect(ran).toEqual(["stayed"]);
    expect(await failureOf(queue.run(async () => undefined, controller.signal))).toBe(reason);
  });

  it("spends no start of its rate on those that left", async () => {
    const clock = virtualTime();
    const queue = openQueue({ rate: 10, concurrency: 2, clock });
    const controller = new AbortController();
    const starts: number[] = [];
    const start = async (): Promise<void> => void starts.push(clock.now());
    const begun = clock.now();
    const first = queue.run(start, forever);
    const leaving = Array.from({ length: 200 }, () => failureOf(queue.run(start, controller.signal)));
    const staying = Array.from({ length: 10 }, () => queue.run(start, forever));
    controller.abort();
    await Promise.all([first, ...leaving]);
    await vi.advanceTimersByTimeAsync(1100);
    await Promise.all(staying);
    expect(starts).toHaveLength(11);
    expect(starts[0]).toBe(begun);
    // Had a start been kept for one that left, two of these would go out together.
    await vi.advanceTimersByTimeAsync(5000);
    const later = Array.from({ length: 3 }, () => queue.run(start, forever));
    await vi.advanceTimersByTimeAsync(300);
    await Promise.all(later);
    expect(mostIn(starts, 100)).toBeLessThanOrEqual(1);
  });

  it("keeps no start for a task that leaves when the start was already given to it", async () => {
    const clock = virtualTime();
    const [early, late] = [new AbortController(), new AbortController()];
    // The task leaves while those before it, which left earlier, pass through the open queue.
    const sleep: typeof clock.sleep = (milliseconds, signal) => {
      const slept = clock.sleep(milliseconds, signal);
      void slept.then(() => Promise.resolve().then(() => late.abort())).catch(() => undefined);
      return slept;
    };
    const queue = openQueue({ rate: 10, concurrency: 2, clock: { ...clock, sleep } });
    const starts: number[] = [];
    const start = async (): Promise<void> => void starts.push(clock.now());
    await queue.run(start, forever);
    const leaving = Array.from({ length: 20 }, () => failureOf(queue.run(start, early.signal)));
    const given = failureOf(queue.run(start, late.signal));
    early.abort();
    await vi.advanceTimersByTimeAsync(5000);
    await Promise.all([...leaving, given]);
    expect(starts).toHaveLength(1);
    const later = Array.from({ length: 3 }, () => queue.run(start, forever));
    await vi.advanceTimersByTimeAsync(300);
    await Promise.all(later);
    expect(mostIn(starts, 100)).toBeLessThanOrEqual(1);
  });

  it("hands on the failure of a task, and goes on", async () => {
    const queue = openQueue({ concurrency: 1 });
    const broken = new Error("broken");
    expect(await failureOf(queue.run(() => Promise.reject(broken), forever))).toBe(broken);
    expect(await queue.run(async () => 5, forever)).toBe(5);
  });

  it("starts nothing before the end of a pause, and keeps the longest of several", async () => {
    const queue = openQueue({ concurrency: 5 });
    const until = Date.now() + 300;
    queue.pauseUntil(until);
    queue.pauseUntil(until - 250);
    expect(await queue.run(async () => Date.now(), forever)).toBeGreaterThanOrEqual(until - 1);
  });

  it("holds up tasks that waited before, and lets an urgent one that left hold up nobody", async () => {
    const queue = openQueue({ concurrency: 1 });
    const order: string[] = [];
    const blocker = queue.run(() => pause(20), forever);
    const waiting = Array.from({ length: 4 }, (_, at) =>
      queue.run(async () => void order.push(`waiting ${at}`), forever),
    );
    const stop = new AbortController();
    const held = queue.hold(async () => {
      const left = failureOf(queue.run(async () => void order.push("left"), stop.signal, true));
      stop.abort();
      await left;
      await Promise.all([blocker, queue.run(async () => void order.push("urgent"), forever, true)]);
      await pause(20);
      order.push("released");
    });
    await Promise.all([held, ...waiting]);
    expect(order).toEqual(["urgent", "released", "waiting 0", "waiting 1", "waiting 2", "waiting 3"]);
  });

  it("lets nothing but urgent tasks through while it is held", async () => {
    const queue = openQueue({ concurrency: 5 });
    const order: string[] = [];
    const held = queue.hold(async () => {
      await pause(30);
      await queue.run(async () => void order.push("urgent"), forever, true);
      await pause(30);
    });
    const waiting = queue.run(async () => void order.push("waiting"), forever);
    await Promise.all([held, waiting]);
    expect(order).toEqual(["urgent", "waiting"]);
  });
});
