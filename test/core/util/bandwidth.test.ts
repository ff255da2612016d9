import { setImmediate as endOfTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createBandwidth } from "../../../src/core/util/bandwidth.js";
import type { Clock } from "../../../src/core/util/clock.js";

const forever = new AbortController().signal;

describe("a limit of bytes a second", () => {
  it.each([
    { name: "one transfer of large pieces", limit: 2_000_000, sizes: [1_000_000] },
    { name: "one transfer of small pieces", limit: 2_000_000, sizes: [700] },
    { name: "three transfers", limit: 100_000, sizes: [64_000, 16_384, 300] },
    { name: "sixteen transfers", limit: 10_000_000, sizes: Array.from({ length: 16 }, (_, i) => 1000 * (i + 1)) },
    { name: "a limit of few bytes", limit: 1000, sizes: [64_000, 64_000] },
  ])("is met within 5 % over ten seconds: $name", async ({ limit, sizes }) => {
    const clock = simulatedClock();
    const bandwidth = createBandwidth(limit, clock);
    const passed: { at: number; bytes: number }[] = [];
    const ends = sizes.map(async (size) => {
      for await (const piece of bandwidth.throttle(endless(size), forever)) {
        passed.push({ at: clock.now(), bytes: piece.length });
        if (clock.now() >= 10_000) return;
      }
    });
    await clock.run();
    await Promise.all(ends);
    const total = bytesBetween(passed, 0, 10_000);
    expect(total / (limit * 10)).toBeGreaterThan(0.95);
    expect(total / (limit * 10)).toBeLessThanOrEqual(1.05);
    for (let from = 0; from <= 9000; from += 250)
      expect(bytesBetween(passed, from, from + 1000)).toBeLessThanOrEqual(Math.max(limit * 1.13, 2048));
  });

  it("gives transfers with pieces of any size the same share", async () => {
    const clock = simulatedClock();
    const bandwidth = createBandwidth(1_000_000, clock);
    const shares = [200_000, 20_000].map(() => 0);
    const ends = [200_000, 20_000].map(async (size, index) => {
      for await (const piece of bandwidth.throttle(endless(size), forever)) {
        shares[index] = (shares[index] ?? 0) + piece.length;
        if (clock.now() >= 10_000) return;
      }
    });
    await clock.run();
    await Promise.all(ends);
    expect((shares[0] ?? 0) / (shares[1] ?? 1)).toBeCloseTo(1, 1);
  });

  it("does not save up a pause for a burst", async () => {
    const clock = simulatedClock();
    const bandwidth = createBandwidth(10_000, clock);
    clock.pass(60_000);
    const done = collect(bandwidth.throttle([Buffer.alloc(20_000)], forever));
    await clock.run();
    await done;
    expect(clock.now() - 60_000).toBeGreaterThanOrEqual(1900);
  });

  it("keeps the bytes and their order, and reads no further than a piece ahead of its turn", async () => {
    const clock = simulatedClock();
    const bandwidth = createBandwidth(1000, clock);
    let read = 0;
    function* source(): Generator<Buffer> {
      for (let piece = 0; piece < 10; piece += 1) {
        read += 1;
        yield Buffer.alloc(3000, piece);
      }
    }
    const done = collect(bandwidth.throttle(source(), forever));
    await clock.run(3500);
    expect(read).toBeLessThanOrEqual(3);
    await clock.run();
    expect(await done).toEqual(Buffer.concat(Array.from({ length: 10 }, (_, piece) => Buffer.alloc(3000, piece))));
  });

  it("tells of every wait before it begins", async () => {
    const clock = simulatedClock();
    const waits: number[] = [];
    const pieces = createBandwidth(1000, clock).throttle([Buffer.alloc(5000)], forever, (wait) => waits.push(wait));
    const done = collect(pieces);
    await endOfTurn();
    expect(waits).toHaveLength(1);
    await clock.run();
    await done;
    const waited = waits.reduce((sum, wait) => sum + wait, 0);
    expect(waited).toBeGreaterThan(4700);
    expect(waited).toBeLessThanOrEqual(5000);
  });

  it("goes on at once when the clock is set back", async () => {
    const clock = simulatedClock();
    const waits: number[] = [];
    const bandwidth = createBandwidth(1000, clock);
    clock.pass(-3_600_000);
    const done = collect(bandwidth.throttle([Buffer.alloc(1000)], forever, (wait) => waits.push(wait)));
    await clock.run();
    await done;
    expect(Math.max(...waits)).toBeLessThanOrEqual(1000);
  });

  it("ends with the reason of the signal, and closes the source", async () => {
    const stop = new AbortController();
    let isClosed = false;
    function* source(): Generator<Buffer> {
      try {
        for (;;) yield Buffer.alloc(10_000);
      } finally {
        isClosed = true;
      }
    }
    const done = collect(createBandwidth(1000).throttle(source(), stop.signal));
    stop.abort(new Error("stopped by a person"));
    await expect(done).rejects.toThrow("stopped by a person");
    expect(isClosed).toBe(true);
  });
});

function* endless(size: number): Generator<Buffer> {
  const piece = Buffer.alloc(size);
  for (;;) yield piece;
}

async function collect(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

function bytesBetween(passed: readonly { at: number; bytes: number }[], from: number, to: number): number {
  return passed.reduce((sum, { at, bytes }) => (at > from && at <= to ? sum + bytes : sum), 0);
}

interface SimulatedClock extends Clock {
  /** Lets all sleepers wake in their order, each 0 to 3 ms late; default: until none is left. */
  run(until?: number): Promise<void>;
  pass(milliseconds: number): void;
}

function simulatedClock(): SimulatedClock {
  let time = 0;
  let count = 0;
  const sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  return {
    now: () => time,
    pass: (milliseconds) => {
      time += milliseconds;
    },
    sleep: (milliseconds) =>
      new Promise((resolve) => {
        count += 1;
        sleepers.push({ at: time + Math.ceil(milliseconds) + (count % 4), wake: resolve });
      }),
    async run(until = Number.POSITIVE_INFINITY) {
      for (;;) {
        await endOfTurn();
        sleepers.sort((one, other) => one.at - other.at);
        const next = sleepers[0];
        if (next === undefined || next.at > until) return;
        sleepers.shift();
        time = Math.max(time, next.at);
        next.wake();
      }
    },
  };
}
