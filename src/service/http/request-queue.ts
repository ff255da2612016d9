import PQueue from "p-queue";
import { type Clock, systemClock } from "../../core/util/clock.js";
import { onAbort } from "../../core/util/concurrency.js";
import type { PauseState } from "./pause.js";
import {
  createRateKeeper,
  type RateEvent,
  type RateFacts,
  type RateKeeper,
  type RateLease,
  spacingOf,
} from "./request-rate.js";
import { createTimeBook, type TimeBook, type TimeSpent } from "./request-statistics.js";

export interface RequestQueueOptions {
  /** Starts a second, see spacingOf; undefined: no limit, and nothing adapts. */
  readonly rate?: number | undefined;
  /** Requests under way at the same time. */
  readonly concurrency: number;
  /**
   * UNIX milliseconds of the last request that an earlier run may have started. The first start
   * waits until a full second has passed since, so that the rate holds across a resumed run too. If
   * it was recorded coarsely, add the grain.
   */
  readonly lastActivity?: number | undefined;
  /** Called just before each request goes out, with the UNIX milliseconds. */
  readonly onStart?: ((startedAt: number) => void) | undefined;
  /** Called whenever the rate became another one. */
  readonly onRate?: ((facts: RateFacts) => void) | undefined;
  /** Among the processes of this machine; default: the rate is this queue's alone. */
  readonly seat?: RateLease | undefined;
  /** While it is on nothing starts, urgent tasks neither. Default: nobody can pause it. */
  readonly pause?: PauseState | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * The line in which the requests to one origin stand: one budget for reads, writes, logins and
 * every repetition.
 */
export interface RequestQueue {
  /**
   * Runs a task when its turn has come. An aborted signal takes it out of the line. An urgent one
   * goes first. The task calls `sent` each time its request goes out: one that was held up counts
   * when it leaves. undefined: nobody counts.
   * @throws the signal's reason, and what the task throws
   */
  run<T>(task: (sent: (() => void) | undefined) => Promise<T>, signal: AbortSignal, urgent?: boolean): Promise<T>;
  /**
   * Starts nothing before this time (UNIX milliseconds); an earlier time than one already set
   * changes nothing.
   */
  pauseUntil(time: number): void;
  /** Starts nothing but urgent tasks until the work is done. */
  hold<T>(work: () => Promise<T>): Promise<T>;
  /** Adapts the rate to what the site did, see request-rate.ts. */
  heed(event: RateEvent): void;
  /** What its time went into, and the rate, null without one. */
  use(): TimeSpent & { readonly rate: RateFacts | null };
  /** Starts nothing any more; no timer is left behind. */
  close(): void;
}

// The line stands here, and p-queue gets only the next few: a queue that is held lets out no more
// than those, and a hundred thousand that wait cost p-queue nothing.
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
    // A task may start inside of `add`, and its start calls this again; the loop that is under way
    // goes on for it.
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

/** Lets tasks out of a queue as its rate and the site's pauses allow. */
export interface QueueGate {
  /** To be called whenever a task was added. */
  knock(): void;
  /** To be called by a task as it starts. */
  passed(): void;
  /**
   * Lets nothing out before this time (UNIX milliseconds); an earlier time than one already set
   * changes nothing. `why`: what that time is counted as; by default the site asked for it.
   */
  pauseUntil(time: number, why?: "paused" | "held"): void;
  /** Lets nothing out any more; no timer is left behind. */
  close(): void;
}

export interface QueueGateOptions {
  /** Made with `autoStart: false` where there is a keeper. */
  readonly queue: PQueue;
  readonly concurrency: number;
  /** undefined: only pauses hold anything up. */
  readonly keeper: RateKeeper | undefined;
  readonly book: TimeBook;
  /** Of a person, beside those of the site. Default: nobody can pause it. */
  readonly pause?: PauseState | undefined;
  readonly clock: Clock;
}

// Milliseconds: others may leave, and the site recover, while a slow rate waits.
const LOOK_AGAIN = 1000;

/**
 * p-queue counts, orders and pauses; the keeper spaces the starts. The interval limit of p-queue
 * does not suffice for that: it has no way to change while the queue runs (the rate adapts, and
 * processes share it), it starts the whole cap at once, and what came late is lost. So where there
 * is a rate, the queue stands paused, and is opened for one start at a time: each start pauses it
 * again. What the keeper says holds for the very moment of the start then.
 */
function createQueueGate(options: QueueGateOptions): QueueGate {
  const { queue, concurrency, keeper, book, pause, clock } = options;
  const closing = new AbortController();
  let resumeAt = 0;
  let pausedFor: "paused" | "held" | null = null;
  let opening = false;
  let waiting = false;

  const isReady = (): boolean => queue.size > 0 && queue.pending < concurrency;
  const isHeld = (): boolean => pausedFor !== null || pause?.isPaused === true;

  function knock(): void {
    if (keeper !== undefined && !closing.signal.aborted) open(keeper);
    book.turnTo(occupation());
  }

  /** What the time goes into from now on. */
  function occupation(): keyof TimeSpent {
    if (pause?.isPaused === true) return "byHand";
    if (pausedFor === "paused") return "paused";
    if (isReady()) return "held";
    return queue.pending > 0 ? "answering" : "idle";
  }

  /** Lets out what may start now, and comes back for the rest. */
  function open(keeper: RateKeeper): void {
    // What starts has the next one added, which calls this again; the loop that is under way goes
    // on for it.
    if (opening || waiting || isHeld()) return;
    opening = true;
    while (isReady() && !waiting && !isHeld()) {
      const wait = keeper.claim();
      if (wait > 0) comeBackIn(wait);
      else queue.start();
    }
    opening = false;
  }

  function comeBackIn(wait: number): void {
    waiting = true;
    sleep(Math.min(wait, LOOK_AGAIN), () => {
      waiting = false;
      knock();
    });
  }

  function pauseUntil(time: number, why: "paused" | "held" = "paused"): void {
    if (time <= resumeAt) return;
    resumeAt = time;
    pausedFor = why;
    queue.pause();
    sleep(time - clock.now(), () => {
      // A later pause was asked for meanwhile: its own timer resumes.
      if (resumeAt !== time) return;
      pausedFor = null;
      goOn();
    });
    knock();
  }

  /** Whoever held things up does so no more; another one may. */
  function goOn(): void {
    if (isHeld()) queue.pause();
    else if (keeper === undefined) queue.start();
    knock();
  }

  function sleep(milliseconds: number, then: () => void): void {
    // Only `close` ends a sleep early.
    clock.sleep(milliseconds, closing.signal).then(then, () => queue.clear());
  }

  queue.on("next", knock);
  const forget = pause?.onChange(goOn);
  if (isHeld()) queue.pause();
  return {
    knock,
    passed: () => {
      if (keeper !== undefined) queue.pause();
    },
    pauseUntil,
    close: () => {
      closing.abort();
      forget?.();
      queue.pause();
      queue.clear();
      keeper?.close();
    },
  };
}

/** Those who wait, first come first served. */
export interface Line<T> {
  push(value: T): void;
  /** The one that waits longest, who leaves the line; undefined when nobody waits. */
  shift(): T | undefined;
}

// Array.shift moves everybody behind; a Set that is emptied from its front is searched through
// every time.
const SERVED = 1024;

function createLine<T>(): Line<T> {
  let values: (T | undefined)[] = [];
  let first = 0;
  return {
    push: (value) => void values.push(value),
    shift() {
      const value = values[first];
      // Who left must not be kept alive by their place: each may hold a whole answer.
      if (first < values.length) values[first] = undefined;
      first = Math.min(first + 1, values.length);
      if (first > SERVED && first * 2 > values.length) {
        values = values.slice(first);
        first = 0;
      }
      return value;
    },
  };
}
