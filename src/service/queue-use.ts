import type { RateFacts } from "./rate-keeper.js";

/** What a queue's time went into since it was made; milliseconds. */
export interface TimeSpent {
  /** Something could have gone out, had the rate allowed it. */
  readonly held: number;
  /** The site had asked for a pause, whether or not something waited. */
  readonly paused: number;
  /** A person had paused the run; then nothing else is counted, since nobody looks for another reason. */
  readonly byHand: number;
  /** Requests were under way, and nothing else was ready to go, or every connection was taken. */
  readonly answering: number;
  /** Nothing was asked for. */
  readonly idle: number;
}

/** How the queue of one origin fares. */
export interface QueueUse extends TimeSpent {
  readonly origin: string;
  /** null: without limit. */
  readonly rate: RateFacts | null;
  /** Milliseconds that an answer takes at the moment, the median of the last ones; null: none came. */
  readonly latency: number | null;
  /** Requests that went out since it was made, repetitions too. */
  readonly starts: number;
  /** The same by UNIX seconds, of the last ones in which some went out: looks come late, and would count those of two seconds as one's. */
  readonly startsBySecond: ReadonlyMap<number, number>;
  /** Answers that asked for a pause: 429, and 503 with Retry-After. */
  readonly refusals: number;
  /** The last numbers: its connections are closed. */
  readonly isClosed?: true;
}

/** Adds up what time is spent on. */
export interface TimeBook {
  /** From now on it is spent on this. */
  turnTo(what: keyof TimeSpent): void;
  spent(): TimeSpent;
}

export function createTimeBook(now: () => number): TimeBook {
  const totals = { held: 0, paused: 0, byHand: 0, answering: 0, idle: 0 };
  let current: keyof TimeSpent = "idle";
  let since = now();
  const turnTo = (what: keyof TimeSpent): void => {
    const time = now();
    totals[current] += Math.max(0, time - since);
    since = time;
    current = what;
  };
  return {
    turnTo,
    spent() {
      turnTo(current);
      return { ...totals };
    },
  };
}
