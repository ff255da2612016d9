import type PQueue from "p-queue";
import type { Clock } from "../core/util/clock.js";
import type { PauseState } from "./pause.js";
import type { TimeBook, TimeSpent } from "./queue-use.js";
import type { RateKeeper } from "./rate-keeper.js";

/** Lets tasks out of a queue as its rate and the site's pauses allow. */
export interface QueueGate {
  /** To be called whenever a task was added. */
  knock(): void;
  /** To be called by a task as it starts. */
  passed(): void;
  /**
   * Lets nothing out before this time (UNIX milliseconds); an earlier time than one already set changes nothing. `why`: what that time is counted as; by
   * default the site asked for it.
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
 * p-queue counts, orders and pauses; the keeper spaces the starts. The interval limit of p-queue does not suffice for that: it has no way to
 * change while the queue runs (the rate adapts, and processes share it), it starts the whole cap at once, and what came late is lost. So where
 * there is a rate, the queue stands paused, and is opened for one start at a time: each start pauses it again. What the keeper says holds for
 * the very moment of the start then.
 */
export function createQueueGate(options: QueueGateOptions): QueueGate {
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
    // What starts has the next one added, which calls this again; the loop that is under way goes on for it.
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
