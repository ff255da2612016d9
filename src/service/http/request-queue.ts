import PQueue from "p-queue";
import { type Clock, systemClock } from "../../core/util/clock.js";
import { onAbort } from "../../core/util/concurrency.js";
import type { PauseState } from "./pause.js";
import {
  createRateLimiter,
  type RateEvent,
  type RateFacts,
  type RateLease,
  type RateLimiter,
  spacingOf,
} from "./request-rate.js";
import { createTimeTotals, type TimeSpent, type TimeTotals } from "./request-statistics.js";

export interface RequestQueueOptions {
  /** Starts per second, see spacingOf; undefined: no limit, and nothing adapts. */
  readonly rate?: number | undefined;
  readonly concurrency: number;
  /** UNIX milliseconds of an earlier run's last request: the first start is a second later. */
  readonly lastActivity?: number | undefined;
  /** Called just before each request is sent, with the UNIX milliseconds. */
  readonly onStart?: ((startedAt: number) => void) | undefined;
  readonly onRate?: ((facts: RateFacts) => void) | undefined;
  /** Default: the rate is not shared. */
  readonly lease?: RateLease | undefined;
  /** Holds urgent tasks too. Default: never. */
  readonly pause?: PauseState | undefined;
  readonly clock?: Clock | undefined;
}

/** The requests to one origin: one budget for reads, writes, logins and repetitions. */
export interface RequestQueue {
  /**
   * Runs a task in its turn, urgent ones first; an aborted signal removes it. The task calls `sent`
   * when its request is sent, since the rate counts that. Throws the signal's reason, and what the
   * task throws.
   */
  run<T>(task: (sent: (() => void) | undefined) => Promise<T>, signal: AbortSignal, urgent?: boolean): Promise<T>;
  /** Starts nothing before this time (UNIX milliseconds). The latest of several counts. */
  pauseUntil(time: number): void;
  /** Starts only urgent tasks until the work is done. */
  hold<T>(work: () => Promise<T>): Promise<T>;
  adaptTo(event: RateEvent): void;
  /** `rate`: null without one. */
  use(): TimeSpent & { readonly rate: RateFacts | null };
  close(): void;
}

// Milliseconds after which an earlier run's last request is outside of every second.
const QUIET = 1020;
// Milliseconds: meanwhile sharers may leave, or the rate may rise.
const LOOK_AGAIN = 1000;
const PRIORITY = { urgent: 1, ordinary: 0 } as const;

/** Throws UsageError for a rate that is not above 0. */
export function createRequestQueue(options: RequestQueueOptions): RequestQueue {
  const queue = new PacedQueue(options);
  return {
    run: (task, signal, urgent) => queue.run(task, signal, urgent),
    pauseUntil: (time) => queue.pauseUntil(time),
    hold: (work) => queue.hold(work),
    adaptTo: (event) => queue.adaptTo(event),
    use: () => queue.use(),
    close: () => queue.close(),
  };
}

interface Waiting {
  run(sent: (() => void) | undefined): Promise<void>;
  reject(reason: unknown): void;
}

/**
 * p-queue orders the tasks by priority, counts the active ones and is paused; the rate limiter
 * decides when the next one starts. p-queue's own interval limit can't change while it runs, but
 * the rate adapts and is shared by processes. So the queue is paused, and resumed for one start at
 * a time.
 */
class PacedQueue {
  readonly #options: RequestQueueOptions;
  readonly #clock: Clock;
  readonly #queue: PQueue;
  /** undefined: only pauses delay a start. */
  readonly #limiter: RateLimiter | undefined;
  readonly #times: TimeTotals;
  readonly #closing = new AbortController();
  readonly #forgetPause: (() => void) | undefined;
  /** Without cancelled tasks, which stay in p-queue until their turn and start nothing. */
  readonly #waiting = { urgent: 0, ordinary: 0 };
  #holds = 0;
  #resumeAt = 0;
  #pausedFor: "paused" | "held" | null = null;
  #isOpening = false;
  #isSleeping = false;

  constructor(options: RequestQueueOptions) {
    const { rate, concurrency, lease, pause, lastActivity, onRate: onChange, clock = systemClock } = options;
    this.#options = options;
    this.#clock = clock;
    this.#limiter = createRateLimiter({ rate, concurrency, clock, lease, onChange });
    this.#queue = new PQueue({ concurrency, autoStart: false });
    this.#queue.on("next", () => this.#advance());
    this.#times = createTimeTotals(clock.now);
    this.#forgetPause = pause?.onChange(() => {
      if (pause.isPaused) this.#queue.pause();
      this.#advance();
    });
    const spacing = spacingOf(rate, concurrency);
    if (lastActivity !== undefined && spacing !== undefined) {
      // A time in the future (the clock was set back) must not delay the run for longer.
      this.#pauseFor("held", Math.min(clock.now(), lastActivity) + Math.max(QUIET, spacing.interval));
    }
  }

  run<T>(task: (sent: (() => void) | undefined) => Promise<T>, signal: AbortSignal, urgent = false): Promise<T> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) reject(signal.reason);
      else {
        const waiting = { run: async (sent: (() => void) | undefined) => resolve(await task(sent)), reject };
        this.#add(waiting, signal, urgent ? "urgent" : "ordinary");
      }
    });
  }

  async hold<T>(work: () => Promise<T>): Promise<T> {
    this.#holds += 1;
    try {
      return await work();
    } finally {
      this.#holds -= 1;
      this.#advance();
    }
  }

  pauseUntil(time: number): void {
    this.#limiter?.pauseFor(time - this.#clock.now());
    this.#pauseFor("paused", time);
  }

  #pauseFor(why: "paused" | "held", time: number): void {
    if (time <= this.#resumeAt) return;
    this.#resumeAt = time;
    this.#pausedFor = why;
    this.#queue.pause();
    this.#sleep(time - this.#clock.now(), () => {
      // A later pause came meanwhile: its own timer resumes.
      if (this.#resumeAt !== time) return;
      this.#pausedFor = null;
      this.#advance();
    });
    this.#advance();
  }

  adaptTo(event: RateEvent): void {
    this.#limiter?.adaptTo(event);
  }

  use(): TimeSpent & { readonly rate: RateFacts | null } {
    return { ...this.#times.spent(), rate: this.#limiter?.facts() ?? null };
  }

  close(): void {
    this.#closing.abort();
    this.#forgetPause?.();
    this.#queue.pause();
    this.#queue.clear();
    this.#limiter?.close();
  }

  #add(task: Waiting, signal: AbortSignal, kind: keyof typeof PRIORITY): void {
    // p-queue keeps a task for a while after its start: it must not keep its answer.
    let waiting: Waiting | undefined = task;
    const take = (): Waiting | undefined => {
      const taken = waiting;
      waiting = undefined;
      if (taken !== undefined) this.#waiting[kind] -= 1;
      this.#queue.pause();
      return taken;
    };
    const forget = onAbort(signal, () => {
      // The queue may be resumed for this task, so `take` pauses the queue here too.
      take()?.reject(signal.reason);
      this.#advance();
    });
    const start = async (): Promise<void> => {
      if (waiting === undefined) return;
      const begun = take();
      forget();
      try {
        this.#options.onStart?.(this.#clock.now());
        const running = begun?.run(this.#limiter?.started());
        this.#advance();
        await running;
      } catch (error) {
        begun?.reject(error);
      }
    };
    this.#waiting[kind] += 1;
    void this.#queue.add(start, { priority: PRIORITY[kind] });
    this.#advance();
  }

  #advance(): void {
    if (!this.#closing.signal.aborted) this.#open();
    this.#times.turnTo(this.#occupation());
  }

  #open(): void {
    // A start calls this again; the active loop continues for it.
    if (this.#isOpening) return;
    this.#isOpening = true;
    // Cancelled tasks may come first, so the queue stays open until the right one starts.
    while (this.#queue.isPaused && this.#isReady() && !this.#isSleeping && !this.#isHeld()) {
      const wait = this.#limiter?.claim() ?? 0;
      if (wait > 0) this.#comeBackIn(wait);
      else this.#queue.start();
    }
    this.#isOpening = false;
  }

  #isReady(): boolean {
    const { urgent, ordinary } = this.#waiting;
    const waiting = this.#holds > 0 ? urgent : urgent + ordinary;
    return waiting > 0 && this.#queue.pending < this.#options.concurrency;
  }

  #isHeld(): boolean {
    return this.#pausedFor !== null || this.#options.pause?.isPaused === true;
  }

  #occupation(): keyof TimeSpent {
    if (this.#options.pause?.isPaused === true) return "byHand";
    if (this.#pausedFor === "paused") return "paused";
    if (this.#isReady()) return "held";
    return this.#queue.pending > 0 ? "answering" : "idle";
  }

  #comeBackIn(wait: number): void {
    this.#isSleeping = true;
    this.#sleep(Math.min(wait, LOOK_AGAIN), () => {
      this.#isSleeping = false;
      this.#advance();
    });
  }

  /** Only `close` ends a sleep early. */
  #sleep(milliseconds: number, then: () => void): void {
    this.#clock.sleep(milliseconds, this.#closing.signal).then(then, () => this.#queue.clear());
  }
}
