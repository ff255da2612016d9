import { onTestFinished, vi } from "vitest";
import type { Clock } from "../../../src/core/util/clock.js";
import {
  createRequestQueue,
  type RequestQueue,
  type RequestQueueOptions,
} from "../../../src/service/http/request-queue.js";
import { forever } from "./test-stack.js";

/** A queue that is closed when the test ends. */
export function openQueue(options: RequestQueueOptions): RequestQueue {
  const queue = createRequestQueue(options);
  onTestFinished(queue.close);
  return queue;
}

/**
 * Until the test ends, time passes only as `vi.advanceTimersByTimeAsync` says: however busy the
 * machine is, no start comes late.
 */
export function virtualTime(): Clock {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  return {
    now: () => Date.now(),
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        const giveUp = () => {
          clearTimeout(timer);
          reject(signal.reason);
        };
        const timer = setTimeout(() => {
          signal.removeEventListener("abort", giveUp);
          resolve();
        }, milliseconds);
        signal.addEventListener("abort", giveUp);
      }),
  };
}

/**
 * The clock stands while code runs, and goes on between: what is noted of a start has the time that
 * the queue counted.
 */
export function steadyDate(): void {
  vi.useFakeTimers({ toFake: ["Date"] });
  const begun = performance.now() - Date.now();
  const timer = setInterval(() => vi.setSystemTime(performance.now() - begun), 5);
  onTestFinished(() => {
    clearInterval(timer);
    vi.useRealTimers();
  });
}

/** Keeps a queue busy for so many milliseconds of virtual time; gives the time of each start. */
export async function flood(
  clock: Clock,
  options: RequestQueueOptions,
  milliseconds: number,
): Promise<readonly number[]> {
  const queue = openQueue({ ...options, clock });
  const starts: number[] = [];
  const again = (): unknown => queue.run(async () => void starts.push(clock.now()), forever).then(again);
  for (let worker = 0; worker < 40; worker += 1) again();
  await vi.advanceTimersByTimeAsync(milliseconds);
  queue.close();
  return starts;
}

/** The largest number of starts in any window of one second. */
export function mostInOneSecond(starts: readonly number[]): number {
  return mostIn(starts, 1000);
}

/** The largest number of starts in any window of so many milliseconds; the starts are in order. */
export function mostIn(starts: readonly number[], window: number): number {
  let first = 0;
  let most = 0;
  for (const [at, start] of starts.entries()) {
    while ((starts[first] ?? start) <= start - window) first += 1;
    most = Math.max(most, at - first + 1);
  }
  return most;
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
