import type { Clock } from "../core/util/clock.js";
import { createAnswerTimes } from "./answer-times.js";
import { limit } from "./limit.js";
import type { QueueUse } from "./queue-use.js";
import type { RateFacts } from "./rate-keeper.js";
import { type Log, logRequests } from "./request-log.js";
import { createRequestQueue, type RequestQueue, type RequestQueueOptions } from "./request-queue.js";
import { type RetryPolicy, retry } from "./retry.js";
import type { Redact } from "./secret.js";
import type { SharedBudget } from "./shared-budget.js";
import { createStartCounts } from "./start-counts.js";
import type { Wrap } from "./transport.js";

export interface OriginLineOptions
  extends Pick<RequestQueueOptions, "rate" | "concurrency" | "lastActivity" | "onStart" | "pause"> {
  readonly origin: string;
  /** Default: the rate is not shared. Without a rate there is nothing to share. */
  readonly budget?: SharedBudget | undefined;
  readonly retry?: RetryPolicy | undefined;
  readonly redact: Redact;
  readonly log?: Log | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}

/** The way to one origin: everything that goes there takes it. */
export interface OriginLine {
  readonly queue: RequestQueue;
  /** Retry outside of the queue, so that every repetition stands in line again; the log inside, so that it shows each one. */
  readonly wrap: Wrap;
  use(): QueueUse;
}

export function createOriginLine(options: OriginLineOptions): OriginLine {
  const { origin, rate, budget, redact, log, clock, random } = options;
  const times = createAnswerTimes();
  const counts = { starts: 0, refusals: 0 };
  const starts = createStartCounts();
  const queue = createRequestQueue({
    ...options,
    seat: rate === undefined ? undefined : budget?.join(origin),
    onStart: (startedAt) => {
      counts.starts += 1;
      starts.note(startedAt);
      options.onStart?.(startedAt);
    },
    onRate: (facts) => log?.(`${origin}: ${describeRate(facts)}`),
  });
  const retried = retry({ ...options.retry, clock, random, log });
  const limited = limit(queue, {
    clock,
    random,
    log,
    times,
    onRefused: () => {
      counts.refusals += 1;
    },
  });
  return {
    queue,
    wrap: (inner) => retried(limited(logRequests(inner, log, redact, clock))),
    use: () => ({ origin, ...queue.use(), latency: times.median(), ...counts, startsBySecond: starts.seconds() }),
  };
}

function describeRate({ rate, given, slowedBy }: RateFacts): string {
  const why = { refusal: "since it refused more", latency: "since its answers became slow" };
  return `${rate.toFixed(1)} requests a second of ${given}${slowedBy === null ? "" : `, ${why[slowedBy]}`}`;
}
