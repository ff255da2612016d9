import { performance } from "node:perf_hooks";
import type { QueueUse } from "../../service/queue-use.js";
import { judgeLimits, type Limits } from "./judge-limits.js";

/** Gives how the queues of one site fare. */
export type LookAtQueues = () => readonly QueueUse[];

/** Knows what limits a run at the moment. */
export interface LimitsWatch {
  /** Looks there too from now on. */
  watch(look: LookAtQueues): void;
  /** Of the last second or so; null: nobody is asked, or nothing can be said yet. */
  limits(): Limits | null;
  /** How fast each site was asked in the same time; none: as with `limits`. */
  sites(): readonly SitePace[];
}

/** How fast a site is asked. */
export interface SitePace {
  readonly origin: string;
  /** Requests, repetitions too. */
  readonly perSecond: number;
  /** Requests a second that may go out at the moment; null: no limit. */
  readonly limit: number | null;
}

/** Milliseconds: less says more of chance than of the run. */
const LOOK_EVERY = 1000;

/** `worked`: the share of its time that the program worked since it was asked last. */
export function createLimitsWatch(now: () => number = () => Date.now(), worked = shareWorked()): LimitsWatch {
  const looks = new Map<LookAtQueues, readonly QueueUse[]>();
  let lookedAt = now();
  let last: Limits | null = null;
  let paces: readonly SitePace[] = [];

  /** What each queue did since the last look. */
  function sinceLast(): readonly QueueUse[] {
    return [...looks].flatMap(([look, before]) => {
      const uses = look().filter(({ isClosed }) => isClosed !== true);
      if (uses.length === 0 && before.length > 0) looks.delete(look);
      else looks.set(look, uses);
      return uses.map((use) => since(use, before));
    });
  }

  function lookAgain(): void {
    const elapsed = now() - lookedAt;
    // Also when the clock was set back.
    if (Math.abs(elapsed) < LOOK_EVERY) return;
    const uses = sinceLast();
    const busy = worked();
    last = uses.length === 0 ? null : judgeLimits(uses, busy);
    paces = elapsed < 0 ? [] : uses.map((use) => paceOf(use, elapsed));
    lookedAt = now();
  }

  return {
    watch: (look) => void looks.set(look, look()),
    limits() {
      lookAgain();
      return last;
    },
    sites() {
      lookAgain();
      return paces;
    },
  };
}

/** Two bursts fall into a look that is a little longer than a second; in none is the limit exceeded. */
function paceOf({ origin, starts, rate }: QueueUse, elapsed: number): SitePace {
  const limit = rate?.rate ?? null;
  return { origin, perSecond: Math.min((starts * 1000) / elapsed, limit ?? Number.POSITIVE_INFINITY), limit };
}

function shareWorked(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}

function since(use: QueueUse, before: readonly QueueUse[]): QueueUse {
  const earlier = before.find(({ origin }) => origin === use.origin);
  if (earlier === undefined) return use;
  return {
    ...use,
    held: use.held - earlier.held,
    paused: use.paused - earlier.paused,
    byHand: use.byHand - earlier.byHand,
    answering: use.answering - earlier.answering,
    idle: use.idle - earlier.idle,
    starts: use.starts - earlier.starts,
  };
}
