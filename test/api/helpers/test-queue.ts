import { onTestFinished } from "vitest";
import { createRequestQueue, type RequestQueue, type RequestQueueOptions } from "../../../src/api/request-queue.js";
import { forever } from "./test-stack.js";

/** A queue that is closed when the test ends. */
export function openQueue(options: RequestQueueOptions): RequestQueue {
  const queue = createRequestQueue(options);
  onTestFinished(queue.close);
  return queue;
}

/** Keeps a queue busy for so many milliseconds; gives the precise time of each start. */
export async function flood(options: RequestQueueOptions, milliseconds: number): Promise<readonly number[]> {
  const queue = openQueue(options);
  const starts: number[] = [];
  const end = performance.now() + milliseconds;
  const worker = async () => {
    while (performance.now() < end) {
      await Promise.race([
        queue.run(async () => void starts.push(performance.now()), forever),
        pause(end - performance.now()),
      ]);
    }
  };
  await Promise.all(Array.from({ length: 40 }, worker));
  queue.close();
  return starts.filter((start) => start <= end);
}

/** The largest number of starts in any window of one second. */
export function mostInOneSecond(starts: readonly number[]): number {
  const counts = starts.map((start) => starts.filter((other) => other >= start && other < start + 1000).length);
  return Math.max(0, ...counts);
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
