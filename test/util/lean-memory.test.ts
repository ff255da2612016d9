import { afterEach, expect, it, vi } from "vitest";
import { collector, keepLean } from "../../src/util/lean-memory.js";

afterEach(() => {
  vi.useRealTimers();
});

it("collects when much has piled up since the last time, and not before", () => {
  vi.useFakeTimers();
  let collected = 0;
  const lean = keepLean(() => {
    collected += 1;
  });
  const counts: number[] = [];
  const held: Buffer[] = [];
  for (const bytes of [0, 100e6, 0, 100e6]) {
    held.push(Buffer.alloc(bytes));
    vi.advanceTimersByTime(1000);
    counts.push(collected);
  }
  lean.stop();
  held.push(Buffer.alloc(100e6));
  vi.advanceTimersByTime(5000);
  expect([...counts, collected]).toEqual([0, 1, 1, 2, 2]);
  expect(held).toHaveLength(5);
});

it("collects what nobody holds", async () => {
  const garbage = new WeakRef({ much: "of it" });
  // Who made a reference holds what it refers to until the end of the turn.
  await new Promise((done) => setImmediate(done));
  collector()();
  expect(garbage.deref() === undefined).toBe(true);
});
