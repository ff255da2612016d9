import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startTimeLimit } from "../../src/commands/interruption.js";
import type { OptionName } from "../../src/commands/options/table.js";
import { StoppedError } from "../../src/core/errors.js";

const START = new Date(2026, 10, 20, 23, 0).getTime();

beforeEach(() => {
  vi.useFakeTimers({ now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A limit whose clocks a test moves by hand; timers run by themselves. */
function limited(
  settings: { maxDuration?: number; stopAt?: number },
  options: readonly OptionName[] = ["maxDuration", "stopAt"],
) {
  const moved = { wall: 0, steady: 0 };
  const reasons: string[] = [];
  const limit = startTimeLimit(
    { options },
    { maxDuration: settings.maxDuration ?? null, stopAt: settings.stopAt ?? null },
    (reason) => reasons.push(reason),
    { wall: () => Date.now() + moved.wall, steady: () => Date.now() - START + moved.steady },
  );
  return { limit, moved, reasons };
}

describe("a time limit", () => {
  it("stops after --max-duration, once, and says why", () => {
    const { limit, reasons } = limited({ maxDuration: 6 * 3600 });
    expect(limit.words).toBe("2026-11-21 05:00 (--max-duration)");
    vi.advanceTimersByTime(6 * 3_600_000 - 1);
    expect(limit.stop.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect([limit.stop.reason, reasons]).toEqual([
      new StoppedError("The time of --max-duration is over."),
      ["The time of --max-duration is over."],
    ]);
    expect((limit.stop.reason as StoppedError).exitCode).toBe(4);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("stops at --stop-at, also when that is tomorrow", () => {
    const { limit, reasons } = limited({ stopAt: 6 * 60 });
    vi.advanceTimersByTime(7 * 3_600_000 - 1);
    expect(limit.stop.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(reasons).toEqual(["It is 2026-11-21 06:00 (--stop-at)."]);
  });

  it.each([
    [{ maxDuration: 3600, stopAt: 6 * 60 }, "2026-11-21 00:00 (--max-duration)"],
    [{ maxDuration: 8 * 3600, stopAt: 6 * 60 }, "2026-11-21 06:00 (--stop-at)"],
  ])("takes what comes first of both: %j", (settings, words) => {
    const { limit, reasons } = limited(settings);
    expect(limit.words).toBe(words);
    vi.advanceTimersByTime(24 * 3_600_000);
    expect(reasons).toEqual([expect.stringContaining(words.includes("stop-at") ? "--stop-at" : "--max-duration")]);
  });

  it("stops soon after a machine woke up, or its clock was set, past the time", () => {
    const { limit, moved } = limited({ stopAt: 6 * 60 });
    moved.wall = 10 * 3_600_000;
    vi.advanceTimersByTime(20_000);
    expect(limit.stop.aborted).toBe(true);
  });

  it("does not count a clock that was put on as time that went by", () => {
    const { limit, moved } = limited({ maxDuration: 3600 });
    moved.wall = 10 * 3_600_000;
    vi.advanceTimersByTime(60_000);
    expect(limit.stop.aborted).toBe(false);
  });

  it("takes a time that a timer cannot", () => {
    const { limit } = limited({ maxDuration: 40 * 86_400 });
    vi.advanceTimersByTime(39 * 86_400_000);
    expect(limit.stop.aborted).toBe(false);
    vi.advanceTimersByTime(86_400_000);
    expect(limit.stop.aborted).toBe(true);
  });

  it("is none without the options, for commands that lack them, and after it was closed", () => {
    expect(limited({}).limit.words).toBeUndefined();
    expect(limited({ maxDuration: 1, stopAt: 0 }, []).limit.words).toBeUndefined();
    const { limit, reasons } = limited({ maxDuration: 1 });
    limit.close();
    vi.advanceTimersByTime(10_000);
    expect([limit.stop.aborted, reasons, vi.getTimerCount()]).toEqual([false, [], 0]);
  });
});
