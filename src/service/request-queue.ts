import PQueue from "p-queue";
import { type Clock, systemClock } from "../core/util/clock.js";
import type { RateEvent } from "./adaptive-rate.js";
import { createLine } from "./line.js";
import { onAbort } from "./on-abort.js";
import { spacingOf } from "./pace.js";
import type { PauseState } from "./pause.js";
import { createQueueGate } from "./queue-gate.js";
import { createTimeBook, type TimeSpent } from "./queue-use.js";
import { createRateKeeper, type RateFacts } from "./rate-keeper.js";
import type { BudgetSeat } from "./shared-budget.js";

export interface RequestQueueOptions {
  /** Starts a second, see spacingOf; undefined: no limit, and nothing adapts. */
  readonly rate?: number | undefined;
  /** Requests under way at the same time. */
  readonly concurrency: number;
  /**
   * UNIX milliseconds of the last request that an earlier run may have started. The first start waits until a full second
   * has passed since, so that the rate holds across a resumed run too. If it was recorded coarsely, add the grain.
   */
  readonly lastActivity?: number | undefined;
  /** Called just before each request goes out, with the UNIX milliseconds. */
  readonly onStart?: ((startedAt: number) => void) | undefined;
  /** Called whenever the rate became another one. */
  readonly onRate?: ((facts: RateFacts) => void) | undefined;
  /** Among the processes of this machine; default: the rate is this queue's alone. */
  readonly seat?: BudgetSeat | undefined;
  /** While it is on nothing starts, urgent tasks neither. Default: nobody can pause it. */
  readonly pause?: PauseState | undefined;
  readonly clock?: Clock | undefined;
}

/** The line in which the requests to one origin stand: one budget for reads, writes, logins and every repetition. */
export interface RequestQueue {
  /**
   * Runs a task when its turn has come. An aborted signal takes it out of the line. An urgent one goes first. The task calls `sent` each
   * time its request goes out: one that was held up counts when it leaves. undefined: nobody counts.
   * @throws the signal's reason, and what the task throws
   */
  run<T>(task: (sent: (() => void) | undefined) => Promise<T>, signal: AbortSignal, urgent?: boolean): Promise<T>;
  /** Starts nothing before this time (UNIX milliseconds); an earlier time than one already set changes nothing. */
  pauseUntil(time: number): void;
  /** Starts nothing but urgent tasks until the work is done. */
  hold<T>(work: () => Promise<T>): Promise<T>;
  /** Adapts the rate to what the site did, see adaptive-rate.ts. */
  heed(event: RateEvent): void;
  /** What its time went into, and the rate, null without one. */
  use(): TimeSpent & { readonly rate: RateFacts | null };
  /** Starts nothing any more; no timer is left behind. */
  close(): void;
}

// The line stands here, and p-queue gets only the next few: a queue that is held lets out no more than those, and a
// hundred thousand that wait cost p-queue nothing.
const HANDED_OVER = 2;
// Milliseconds: what an earlier run may have sent in its last moments is out of every second then.
const QUIET = 1020;

/** One that waits. Who was aborted stays in line, but starts nothing. */
interface Waiting {
  gone: boolean;
  begin(): void;
}

/** @throws UsageError for a rate that is not above 0 */
export function createRequestQueue(options: RequestQueueOptions): RequestQueue {
  const { rate, concurrency, seat, pause, onRate: onChange, clock = systemClock } = options;
  const keeper = createRateKeeper({ rate, concurrency, clock, seat, onChange });
  const queue = new PQueue({ concurrency, autoStart: keeper === undefined });
  const book = createTimeBook(clock.now);
  const gate = createQueueGate({ queue, concurrency, keeper, book, pause, clock });
  const line = createLine<Waiting>();
  let holds = 0;
  let handing = false;

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

  function run<T>(
    task: (sent: (() => void) | undefined) => Promise<T>,
    signal: AbortSignal,
    urgent = false,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        queue
          .add(start, { priority: urgent ? 1 : 0 })
          .catch(reject)
          .finally(handOver);
        gate.knock();
      };
      const waiting: Waiting = { gone: signal.aborted, begin };
      const leave = () => {
        waiting.gone = true;
        reject(signal.reason);
      };
      const forget = onAbort(signal, leave);
      const start = async () => {
        gate.passed();
        if (waiting.gone) return;
        forget();
        options.onStart?.(clock.now());
        const running = task(keeper?.started());
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

  async function hold<T>(work: () => Promise<T>): Promise<T> {
    holds += 1;
    try {
      return await work();
    } finally {
      holds -= 1;
      handOver();
    }
  }

  const quietFrom = options.lastActivity;
  const spacing = spacingOf(rate, concurrency);
  if (quietFrom !== undefined && spacing !== undefined) {
    // A record from the future (the clock was set back) must not stop the run for longer.
    gate.pauseUntil(Math.min(clock.now(), quietFrom) + Math.max(QUIET, spacing.interval), "held");
  }
  return {
    run,
    pauseUntil: (time) => gate.pauseUntil(time),
    hold,
    heed: (event) => keeper?.heed(event),
    use: () => ({ ...book.spent(), rate: keeper?.facts() ?? null }),
    close: gate.close,
  };
}
