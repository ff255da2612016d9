import { performance } from "node:perf_hooks";
import type { QueueUse } from "../../api/queue-use.js";
import { judgeLimits, type Limits } from "./judge-limits.js";

/** Gives how the queues of one site fare; undefined when its connections are closed. */
export type LookAtQueues = () => readonly QueueUse[] | undefined;

/** Knows what limits a run at the moment. */
export interface LimitsWatch {
  /** Looks there too from now on. */
  watch(look: LookAtQueues): void;
  /** Of the last second or so; null: nobody is asked, or nothing can be said yet. */
  limits(): Limits | null;
}

/** Milliseconds: less says more of chance than of the run. */
const LOOK_EVERY = 1000;

/** `worked`: the share of its time that the program worked since it was asked last. */
export function createLimitsWatch(now: () => number = () => Date.now(), worked = shareWorked()): LimitsWatch {
  const looks = new Map<LookAtQueues, readonly QueueUse[]>();
  let lookedAt = now();
  let last: Limits | null = null;

  /** What each queue did since the last look. */
  function sinceLast(): readonly QueueUse[] {
    return [...looks].flatMap(([look, before]) => {
      const uses = look();
      if (uses === undefined) looks.delete(look);
      else looks.set(look, uses);
      return (uses ?? []).map((use) => since(use, before));
    });
  }

  return {
    watch: (look) => void looks.set(look, look() ?? []),
    limits() {
      // Also when the clock was set back.
      if (Math.abs(now() - lookedAt) < LOOK_EVERY) return last;
      const uses = sinceLast();
      const busy = worked();
      last = uses.length === 0 ? null : judgeLimits(uses, busy);
      lookedAt = now();
      return last;
    },
  };
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
    answering: use.answering - earlier.answering,
    idle: use.idle - earlier.idle,
  };
}
