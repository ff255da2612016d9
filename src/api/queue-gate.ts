import type PQueue from "p-queue";
import type { Clock } from "../util/clock.js";
import type { TimeBook } from "./queue-use.js";
import type { RateKeeper } from "./rate-keeper.js";

/** Lets tasks out of a queue as its rate and the site's pauses allow. */
export interface QueueGate {
  /** To be called whenever a task was added. */
  knock(): void;
  /** To be called by a task as it starts. */
  passed(): void;
  /** Lets nothing out before this time (UNIX milliseconds); an earlier time than one already set changes nothing. */
  pauseUntil(time: number): void;
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
  readonly clock: Clock;
}

// Milliseconds: others may leave, and the site recover, while a slow rate waits.
const LOOK_AGAIN = 1000;

/**
 * The rate of p-queue itself can't change while it runs. So where there is one, the queue stands paused, and is opened for one start at
 * a time: whoever starts shuts it behind himself. What the keeper says holds for the very moment of the start then.
 */
export function createQueueGate({ queue, concurrency, keeper, book, clock }: QueueGateOptions): QueueGate {
  const closing = new AbortController();
  let resumeAt = 0;
  let paused = false;
  let opening = false;
  let waiting = false;

  const isReady = (): boolean => queue.size > 0 && queue.pending < concurrency;

  function knock(): void {
    if (keeper !== undefined && !closing.signal.aborted) open(keeper);
    book.turnTo(isReady() ? "held" : queue.pending > 0 ? "answering" : "idle");
  }

  /** Lets out what may start now, and comes back for the rest. */
  function open(keeper: RateKeeper): void {
    // What starts has the next one added, which calls this again; the loop that is under way goes on for it.
    if (opening || waiting || paused) return;
    opening = true;
    while (isReady() && !waiting && !paused) {
      const wait = keeper.wait();
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

  function pauseUntil(time: number): void {
    if (time <= resumeAt) return;
    resumeAt = time;
    paused = true;
    queue.pause();
    sleep(time - clock.now(), () => {
      // A later pause was asked for meanwhile: its own timer resumes.
      if (resumeAt === time) resume();
    });
    knock();
  }

  function resume(): void {
    paused = false;
    if (keeper === undefined) queue.start();
    knock();
  }

  function sleep(milliseconds: number, then: () => void): void {
    // Only `close` ends a sleep early.
    clock.sleep(milliseconds, closing.signal).then(then, () => queue.clear());
  }

  queue.on("next", knock);
  return {
    knock,
    passed: () => {
      if (keeper !== undefined) queue.pause();
    },
    pauseUntil,
    close: () => {
      closing.abort();
      queue.pause();
      queue.clear();
      keeper?.close();
    },
  };
}
