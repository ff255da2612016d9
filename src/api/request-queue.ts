import PQueue from "p-queue";
import { UsageError } from "../errors.js";
import { type Clock, systemClock } from "../util/clock.js";
import { createLine } from "./line.js";
import { onAbort } from "./on-abort.js";

export interface RequestQueueOptions {
  /**
   * Starts a second; undefined: no limit. Above 1 a fraction is dropped: 2.5 starts fit into no second but 2 do. Below 1
   * it is one start in 1/rate seconds.
   */
  readonly rate?: number | undefined;
  /** Requests under way at the same time. */
  readonly concurrency: number;
  /**
   * UNIX milliseconds of the last request that an earlier run may have started. The first start waits until a full window
   * has passed since, so that the rate holds across a resumed run too. If it was recorded coarsely, add the grain.
   */
  readonly lastActivity?: number | undefined;
  /** Called just before each request goes out, with the UNIX milliseconds. */
  readonly onStart?: ((startedAt: number) => void) | undefined;
  readonly clock?: Clock | undefined;
}

/** The line in which the requests to one origin stand: one budget for reads, writes, logins and every repetition. */
export interface RequestQueue {
  /**
   * Runs a task when its turn has come. An aborted signal takes it out of the line. An urgent one goes first.
   * @throws the signal's reason, and what the task throws
   */
  run<T>(task: () => Promise<T>, signal: AbortSignal, urgent?: boolean): Promise<T>;
  /** Starts nothing before this time (UNIX milliseconds); an earlier time than one already set changes nothing. */
  pauseUntil(time: number): void;
  /** Starts nothing but urgent tasks until the work is done. */
  hold<T>(work: () => Promise<T>): Promise<T>;
  /** Starts nothing any more; no timer is left behind. */
  close(): void;
}

// p-queue reads the clock in whole milliseconds: with a window of exactly 1000 a precise clock sees twice the cap in it.
// 2 would do for the starts here; the rest is for the way: requests that start together arrive a little apart, and the site
// counts arrivals. 98 % of the rate is left.
const MARGIN = 20;
const WINDOW = 1000 + MARGIN;

// The line stands here, and p-queue gets only the next few: a queue that is held lets out no more than those, and a
// hundred thousand that wait cost p-queue nothing.
const HANDED_OVER = 2;

/** One that waits. Who was aborted stays in line, but starts nothing. */
interface Waiting {
  gone: boolean;
  begin(): void;
}

/** @throws UsageError for a rate that is not above 0 */
export function createRequestQueue(options: RequestQueueOptions): RequestQueue {
  const clock = options.clock ?? systemClock;
  const pace = paceOf(options.rate);
  const queue = new PQueue({ concurrency: options.concurrency, ...pace });
  const line = createLine<Waiting>();
  const closing = new AbortController();
  let holds = 0;
  let handing = false;
  let resumeAt = 0;

  function handOver(): void {
    // A task may start inside of `add`, and its start calls this again; the loop that is under way goes on for it.
    if (handing) return;
    handing = true;
    while (holds === 0 && queue.size < HANDED_OVER) {
      const next = line.shift();
      if (next === undefined) break;
      if (!next.gone) next.begin();
    }
    handing = false;
  }

  function run<T>(task: () => Promise<T>, signal: AbortSignal, urgent = false): Promise<T> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        queue
          .add(start, { priority: urgent ? 1 : 0 })
          .catch(reject)
          .finally(handOver);
      };
      const waiting: Waiting = { gone: signal.aborted, begin };
      const leave = () => {
        waiting.gone = true;
        reject(signal.reason);
      };
      const forget = onAbort(signal, leave);
      const start = async () => {
        if (waiting.gone) return;
        forget();
        options.onStart?.(clock.now());
        const running = task();
        handOver();
        resolve(await running);
      };
      if (signal.aborted) leave();
      else if (urgent) begin();
      else {
        line.push(waiting);
        handOver();
      }
    });
  }

  function pauseUntil(time: number): void {
    if (time <= resumeAt) return;
    resumeAt = time;
    queue.pause();
    clock.sleep(time - clock.now(), closing.signal).then(
      () => {
        // A later pause was asked for meanwhile: its own timer resumes.
        if (resumeAt === time) queue.start();
      },
      // Only `close` ends the sleep early.
      () => queue.clear(),
    );
  }

  async function hold<T>(work: () => Promise<T>): Promise<T> {
    holds += 1;
    try {
      return await work();
    } finally {
      holds -= 1;
      handOver();
    }
  }

  function close(): void {
    closing.abort();
    queue.pause();
    queue.clear();
  }

  const quietFrom = options.lastActivity;
  if (quietFrom !== undefined && pace !== undefined) {
    // A record from the future (the clock was set back) must not stop the run for longer than one window.
    pauseUntil(Math.min(clock.now(), quietFrom) + pace.interval);
  }
  return { run, pauseUntil, hold, close };
}

function paceOf(rate: number | undefined) {
  if (rate === undefined || rate === Number.POSITIVE_INFINITY) return undefined;
  if (!(rate > 0)) throw new UsageError(`A rate of ${rate} requests a second sends nothing. Give a rate above 0.`);
  return rate >= 1
    ? { strict: true, interval: WINDOW, intervalCap: Math.floor(rate) }
    : { strict: true, interval: Math.ceil(1000 / rate) + MARGIN, intervalCap: 1 };
}
